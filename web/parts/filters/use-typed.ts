import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { followed, withSent, type TypedText } from './typed-text.js';

const TYPING_MS = 300;

/**
 * A field that narrows a list soon after the last key, and shows what the list is narrowed by.
 * @returns the text, and what takes a changed one
 */
export function useTyped(filter: string, onType: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState<TypedText>({ text: filter, seen: filter, sent: [] });
  const now = followed(typed, filter);
  if (now !== typed) {
    setTyped(now);
  }
  const send = useDebouncedCallback((text: string) => {
    setTyped((before) => withSent(before, text));
    onType(text);
  }, TYPING_MS);
  const change = (text: string) => {
    setTyped((before) => ({ ...before, text }));
    send(text);
  };
  return [now.text, change];
}
