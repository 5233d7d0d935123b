// The words of operators: bookkeepers do not load them.
import { language } from '../messages/language.js';
import { wordsOf } from '../messages/text.js';
import english from './messages/en.json';

type OperatorKey = keyof typeof english;

let messages: Readonly<Record<OperatorKey, string>> = english;

/** Before the first text. */
export async function loadOperatorMessages(): Promise<void> {
  if (language() === 'de') {
    messages = (await import('./messages/de.json')).default;
  }
}

export const say = wordsOf(() => messages);

/** Words for a value of the API that may be newer than this page: then the value itself. */
export function sayOf(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in messages ? say(key as OperatorKey) : value;
}
