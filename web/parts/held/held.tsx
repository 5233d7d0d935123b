import { Button, Group, Kbd } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { t } from '../../messages/text.js';
import { tellRefused } from '../refused.js';

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
  /** What it decides about: of two decisions about one thing the later one counts. */
  readonly about: string;
  /**
   * Does it: after the time, when asked to, or when the reader leaves the page: then nothing can follow an answer. Says itself
   * when it was refused.
   */
  readonly act: (isLeaving: boolean) => Promise<unknown>;
  readonly onUndone?: () => void;
}

interface Waiting {
  readonly undo: () => void;
  readonly send: () => Promise<boolean>;
}
/** By what it is about. */
const waiting = new Map<string, Waiting>();

/**
 * Sends what waits, before the session ends or goes on in another company.
 * @returns when all of it is answered, whether nothing was refused
 */
export async function sendHeld(): Promise<boolean> {
  const sent = await Promise.all([...waiting.values()].map(({ send }) => send()));
  return sent.every(Boolean);
}

/** For what cannot be taken back once it has been sent. */
export function hold({ text, about, act, onUndone }: Held): void {
  waiting.get(about)?.undo();
  // A message fades away for a moment in which its buttons can still be pressed.
  let isOver = false;
  const end = () => {
    if (isOver) {
      return false;
    }
    isOver = true;
    clearTimeout(timer);
    forget(undo);
    waiting.delete(about);
    removeEventListener('pagehide', leave);
    notifications.hide(id);
    return true;
  };
  const send = async (isLeaving = false): Promise<boolean> =>
    !end() ||
    act(isLeaving).then(
      () => true,
      () => false,
    );
  const leave = () => void send(true);
  const undo = () => {
    if (end()) {
      onUndone?.();
    }
  };
  waiting.set(about, { undo, send });
  undoable.push(undo);
  const timer = setTimeout(() => void send(), HOLD_MS);
  addEventListener('pagehide', leave);
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
        <Button size="xs" variant="subtle" onClick={() => void send()}>
          {t('action.now')}
        </Button>
      </Group>
    ),
  });
}

/**
 * For an action whose refusal stands beside its button: where the reader has gone on meanwhile, a message says it.
 * @param title what was refused
 */
export function useRefusedElsewhere(title: string): (error: unknown) => void {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (error) => {
    if (!isHere.current) {
      tellRefused(error, title);
    }
  };
}

/** For what has been done, and can be undone by another request. */
export function tellUndoable(text: string, undo: () => void): void {
  let isOver = false;
  const undoOnce = () => {
    notifications.hide(id);
    if (!isOver) {
      isOver = true;
      undo();
    }
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
