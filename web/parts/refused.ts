import { notifications } from '@mantine/notifications';
import { t } from '../messages/text.js';
import { problemText } from './states.js';

/**
 * Shows why something was not done, where no form can say it beside its button. It stays until the reader closes it: what waits for
 * ten seconds before it is sent fails while they look elsewhere. The same is shown once, however often it is tried.
 * @param title what was refused
 */
export function tellRefused(error: unknown, title: string = t('error.title')): void {
  const message = problemText(error);
  notifications.show({
    ...{ id: `${title} ${message}`, color: 'red', role: 'alert', autoClose: false, title, message },
    closeButtonProps: { 'aria-label': t('action.close') },
  });
}
