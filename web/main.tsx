import { notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { isSample } from './api/sample.js';
import { loadMessages, t } from './messages/text.js';
import { mount } from './shell/mount.js';
import { router } from './shell/router.js';

if (isSample) {
  // A file that the server would make is one of the reader's own company.
  addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a[href^="/api/"]') !== null) {
      event.preventDefault();
      notifications.show({ message: t('sample.readOnly') });
    }
  });
}

await loadMessages();
mount(<RouterProvider router={router} />);
