import { Button, Group, Kbd } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../messages/text.js';

const HOLD_MS = 10_000;

/** What can be taken back now, the newest last. */
const undoable: (() => void)[] = [];

/** For the keyboard: takes back what was done last. */
export function undoLast(): void {
  undoable.at(-1)?.();
}

function forget(undo: () => void): void {
  const at = undoable.indexOf(undo);
  if (at >= 0) {
    undoable.splice(at, 1);
  }
}

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
    forget(undo);
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
  undoable.push(undo);
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
        <Kbd size="xs">u</Kbd>
        <Button size="xs" variant="subtle" onClick={send}>
          {t('action.now')}
        </Button>
      </Group>
    ),
  });
}

/** For what has been done, and can be undone by another request. */
export function tellUndoable(text: string, undo: () => void): void {
  const undoOnce = () => {
    notifications.hide(id);
    undo();
  };
  undoable.push(undoOnce);
  const id = notifications.show({
    color: 'green',
    title: text,
    autoClose: HOLD_MS,
    onClose: () => {
      forget(undoOnce);
    },
    closeButtonProps: { 'aria-label': t('action.close') },
    message: (
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={undoOnce}>
          {t('action.undo')}
        </Button>
        <Kbd size="xs">u</Kbd>
      </Group>
    ),
  });
}
