import { TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { t } from '../messages/text.js';

const SEARCH_MS = 300;

interface SearchBoxProps {
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** What is found by it; "Search" where left out. */
  readonly placeholder?: string;
}

/** Searches while the reader types; the key / goes to it. */
export function SearchBox({ value, onSearch, placeholder = t('list.search') }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(onSearch, SEARCH_MS);
  useHotkeys([['/', () => box.current?.focus()]]);
  return (
    <TextInput
      ref={box}
      type="search"
      aria-label={t('list.search')}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
