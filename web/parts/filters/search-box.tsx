import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef } from 'react';
import { t } from '../../messages/text.js';
import { MAX_PART } from './meant.js';
import { useTyped } from './use-typed.js';

interface SearchBoxProps {
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** What is found by it; "Search" where left out. */
  readonly placeholder?: string;
}

/** Searches while the reader types; the key / goes to it. */
export function SearchBox({ value, onSearch, placeholder = t('list.search') }: SearchBoxProps) {
  const [text, type] = useTyped(value, onSearch);
  const box = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => box.current?.focus()]]);
  return (
    <TextInput
      ref={box}
      type="search"
      aria-label={t('list.search')}
      placeholder={placeholder}
      maxLength={MAX_PART}
      value={text}
      onChange={(event) => {
        type(event.currentTarget.value);
      }}
    />
  );
}
