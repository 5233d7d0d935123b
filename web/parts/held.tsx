import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../messages/text.js';

const HOLD_MS = 10_000;

/** An action that waits for ten seconds, in which it can be taken back, instead of a question before it. */
export interface Held {
  /** In words, what is going to be done. */
  readonly text: string;
  /** Does it: after the time, when asked to, or when the reader leaves the page. */
  readonly act: () => void;
  readonly onUndone?: () => void;
}

/** For what cannot be taken back once it has been sent. */
export function hold({ text, act, onUndone }: Held): void {
  const end = () => {
    clearTimeout(timer);
    removeEventListener('pagehide', send);
    notifications.hide(id);
  };
  const send = () => {
    end();
    act();
  };
  const undo = () => {
    end();
    onUndone?.();
  };
  const timer = setTimeout(send, HOLD_MS);
  addEventListener('pagehide', send);
  const id = notifications.show({
    title: text,
    autoClose: false,
    withCloseButton: false,
    message: (
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={undo}>
          {t('action.undo')}
        </Button>
        <Button size="xs" variant="subtle" onClick={send}>
          {t('action.now')}
        </Button>
      </Group>
    ),
  });
}

/** For what has been done, and can be undone by another request. */
export function tellUndoable(text: string, undo: () => void): void {
  const id = notifications.show({
    color: 'green',
    title: text,
    autoClose: HOLD_MS,
    closeButtonProps: { 'aria-label': t('action.close') },
    message: (
      <Button
        size="xs"
        variant="default"
        mt="xs"
        onClick={() => {
          notifications.hide(id);
          undo();
        }}
      >
        {t('action.undo')}
      </Button>
    ),
  });
}
