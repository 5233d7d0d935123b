import { Select, TextInput, type ComboboxItem } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState, type SyntheticEvent } from 'react';
import { api } from '../api/client.js';
import { t } from '../messages/text.js';
import { matching, meantBy } from './filters/meant.js';
import { whyNotListed } from './erp/why-not-listed.js';

const SEARCH_MS = 200;
/** As many as the API gives at once: lists that are no longer than that are searched here. */
const MAX_LISTED = 1_000;
const SHOWN = 100;

/** Of which list of the accounting system a value is. */
export type ErpList = 'account' | 'tax-code' | 'dimension' | 'vendor' | { readonly dimension: string };

interface ErpValueProps {
  readonly list: ErpList;
  readonly label: string;
  readonly value: string;
  readonly onChoose: (code: string) => void;
  readonly required?: boolean;
  readonly description?: string;
  readonly error?: string | undefined;
}

interface Listed {
  readonly code: string;
  readonly name: string;
}

/**
 * Chooses a value of the accounting system by typing a part of its code or name. Where the lists cannot be read, its code is
 * typed.
 */
export function ErpValue({ list, label, value, onChoose, required = false, description, error }: ErpValueProps) {
  const { text, onChosen, ofField } = useReadersText();
  const [isOpen, { open: openDropdown, close: closeDropdown }] = useDisclosure();
  const [search] = useDebouncedValue(text, SEARCH_MS);
  // Values are those of a dimension: that is chosen first.
  const isWaiting = typeof list === 'object' && list.dimension === '';
  const all = useQuery({
    queryKey: keyOf(list, ''),
    queryFn: () => searchList(list, ''),
    enabled: !isWaiting,
    retry: false,
  });
  const isPartial = all.data !== undefined && all.data.total > all.data.data.length;
  const searched = useQuery({
    queryKey: keyOf(list, search),
    queryFn: () => searchList(list, search),
    enabled: isPartial && search !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  // What was read before stays, also where it cannot be read again now.
  if (all.isError && all.data === undefined) {
    return (
      <TextInput
        label={label}
        required={required}
        description={[description, whyNotListed(all.error)].filter(Boolean).join(' ')}
        error={error}
        value={value}
        onChange={(event) => {
          onChoose(event.currentTarget.value);
        }}
      />
    );
  }
  const choose = (code: string) => {
    onChosen();
    onChoose(code);
  };
  const listed = (isPartial && search !== '' ? searched.data : all.data)?.data ?? [];
  const options = listed.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }));
  const isListed = value === '' || listed.some(({ code }) => code === value);
  return (
    <Select
      label={label}
      required={required}
      description={description}
      error={error}
      disabled={isWaiting}
      placeholder={t(isWaiting ? 'erpValue.dimensionFirst' : 'erpValue.search')}
      nothingFoundMessage={t(all.isPending ? 'state.loading' : 'list.nothingFound')}
      data={isListed ? options : [{ value, label: value }, ...options]}
      filter={({ options: given, search: typed }) => matching(given as ComboboxItem[], typed).slice(0, SHOWN)}
      value={value === '' ? null : value}
      onChange={(code) => {
        choose(code ?? '');
      }}
      {...ofField}
      dropdownOpened={isOpen}
      onDropdownOpen={openDropdown}
      onDropdownClose={closeDropdown}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) {
          // It closes the list, not also what the field stands in.
          event.stopPropagation();
        }
        // A person who types faster than the list loads means its first match, and does not send the form. Where an option is
        // marked, the component takes that one.
        const { value: typed } = event.currentTarget;
        const isTyped = typed !== '' && !options.some((option) => option.label === typed);
        const isMarked = event.currentTarget.hasAttribute('aria-activedescendant');
        if (event.key === 'Enter' && isTyped && !isMarked) {
          event.preventDefault();
          const [first] = matching(options, typed);
          if (first !== undefined) {
            choose(first.value);
            closeDropdown();
          }
        }
      }}
      onBlur={(event) => {
        const { value: typed } = event.currentTarget;
        const isAll = !isPartial || (typed === search && !searched.isPlaceholderData && !searched.isPending);
        const meant = meantBy(options, value, typed, isAll);
        if (meant !== undefined) {
          onChoose(meant.value);
        }
      }}
      searchable
      clearable={!required}
      selectFirstOptionOnChange
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

/**
 * The text of a field that is the reader's from when they enter it, or type in it, until they choose or go on: what comes
 * meanwhile, as the list or a proposal, does not replace it.
 */
function useReadersText() {
  const [text, setText] = useState('');
  const isTheirs = useRef(false);
  const setTheirs = (is: boolean) => () => {
    isTheirs.current = is;
  };
  const ofField = {
    searchValue: text,
    onSearchChange: (next: string) => {
      if (!isTheirs.current || next === '') {
        setText(next);
      }
    },
    onFocus: setTheirs(true),
    onInput: (event: SyntheticEvent<HTMLInputElement>) => {
      isTheirs.current = true;
      setText(event.currentTarget.value);
    },
    onBlurCapture: setTheirs(false),
  };
  return { text, onChosen: setTheirs(false), ofField };
}

/** How accounts are called in the accounting system, by code; empty while that is not known. */
export function useAccountNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: keyOf('account', ''),
    queryFn: () => searchList('account', ''),
    retry: false,
    staleTime: Infinity,
  });
  return new Map(data?.data.map(({ code, name }) => [code, name]));
}

const keyOf = (list: ErpList, search: string) => ['get', '/api/v1/erp', list, search];

/** @throws the problem of the API */
async function searchList(
  list: ErpList,
  search: string,
): Promise<{ readonly total: number; readonly data: readonly Listed[] }> {
  const query = { limit: MAX_LISTED, active: 'true', ...(search === '' ? {} : { search }) } as const;
  const { data, error } =
    list === 'account'
      ? await api.GET('/api/v1/erp/accounts', { params: { query } })
      : list === 'tax-code'
        ? await api.GET('/api/v1/erp/tax-codes', { params: { query } })
        : list === 'dimension'
          ? await api.GET('/api/v1/erp/dimensions', { params: { query } })
          : list === 'vendor'
            ? await api.GET('/api/v1/erp/vendors', { params: { query } })
            : await api.GET('/api/v1/erp/dimensions/{dimension}/values', { params: { path: list, query } });
  if (data === undefined) {
    throw error as unknown;
  }
  return data;
}
