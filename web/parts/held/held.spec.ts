import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ReactElement } from 'react';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const page = new EventTarget();
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});
const { notificationsStore } = await import('@mantine/notifications');
const { hold, sendHeld, tellUndoable, undoLast } = await import('./held.js');

type Press = () => void;
/** The buttons of a message, also while it fades away. */
function buttonsOf(index: number): readonly Press[] {
  const { notifications } = notificationsStore.getState();
  const group = notifications[index]?.message as ReactElement<{
    children: readonly ReactElement<{ onClick?: Press }>[];
  }>;
  return group.props.children.flatMap(({ props: { onClick } }) => onClick ?? []);
}

let done: string[] = [];
const held = (name: string, about = name) => {
  hold({
    text: name,
    about,
    act: (isLeaving) => {
      done.push(isLeaving ? `${name}, leaving` : name);
      return Promise.resolve();
    },
    onUndone: () => done.push(`not ${name}`),
  });
};

beforeEach(() => {
  jest.useFakeTimers();
  done = [];
});

afterEach(async () => {
  await sendHeld();
  jest.useRealTimers();
});

describe('an action that is held', () => {
  it('is done after ten seconds, once', () => {
    held('post');
    jest.advanceTimersByTime(9_999);
    expect(done).toEqual([]);
    jest.advanceTimersByTime(60_000);
    expect(done).toEqual(['post']);
  });

  it('is done once when it is asked for twice, as by a double click', () => {
    held('post');
    const [, now] = buttonsOf(0);
    now?.();
    now?.();
    expect(done).toEqual(['post']);
  });

  it('is not done after it was taken back', () => {
    held('post');
    const [undo, now] = buttonsOf(0);
    undo?.();
    now?.();
    jest.advanceTimersByTime(60_000);
    expect(done).toEqual(['not post']);
  });

  it('is taken back by another one about the same thing: what was decided last counts', () => {
    held('not in the books', 'posting 1');
    const [fadingUndo] = buttonsOf(0);
    held('in the books', 'posting 1');
    fadingUndo?.();
    held('not in the books', 'posting 2');
    page.dispatchEvent(new Event('pagehide'));
    expect(done).toEqual(['not not in the books', 'in the books, leaving', 'not in the books, leaving']);
  });

  it('is sent at once when the reader leaves the page', () => {
    held('post');
    page.dispatchEvent(new Event('pagehide'));
    jest.advanceTimersByTime(60_000);
    expect(done).toEqual(['post, leaving']);
  });

  it('is answered before the session ends', async () => {
    let answer: Press | undefined;
    hold({ text: 'post', about: 'post', act: () => new Promise<void>((resolve) => (answer = resolve)) });
    let isOver = false;
    const sent = sendHeld().then(() => (isOver = true));
    await Promise.resolve();
    expect([typeof answer, isOver]).toEqual(['function', false]);
    answer?.();
    await sent;
    expect(isOver).toBe(true);
  });

  it('may be refused: that is said by what did it', async () => {
    hold({ text: 'post', about: 'post', act: () => Promise.reject(new Error('refused')) });
    await expect(sendHeld()).resolves.toBe(false);
    await expect(sendHeld()).resolves.toBe(true);
  });
});

it('what was done is taken back once', () => {
  tellUndoable('saved', () => done.push('restored'));
  const [undo] = buttonsOf(0);
  undo?.();
  undo?.();
  undoLast();
  expect(done).toEqual(['restored']);
});
