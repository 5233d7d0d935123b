import { TextInput } from '@mantine/core';
import { locale } from '../../messages/language.js';
import { t } from '../../messages/text.js';
import { withoutGroups } from '../figures/typed-number.js';
import { MAX_PART } from './meant.js';
import { useTyped } from './use-typed.js';

/** As the API takes an amount: in main units. */
const AMOUNT = /^\d{1,15}([.,]\d{1,4})?$/;

/** Sums are compared without their sign, so that one may stand there as in the list. */
const amountOf = (text: string): string => {
  const amount = withoutGroups(text.trim().replace(/^[-\u2212]/, ''), locale());
  return AMOUNT.test(amount) ? amount : '';
};

/** @returns what a list is narrowed by: '' for a text that is no amount (yet) */
export function amountsOf<Values extends Readonly<Record<string, string>>>(texts: Values): Values {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, amountOf(text)])) as Values;
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly type?: 'date';
  readonly error?: string | undefined;
}

/** Searches soon after the last key. */
export function FilterField({ label, value, onType, type, error }: FilterFieldProps) {
  const [text, change] = useTyped(value, onType);
  return (
    <TextInput
      {...(type === undefined ? { placeholder: label, 'aria-label': label } : { type, label })}
      maxLength={MAX_PART}
      value={text}
      error={error}
      onChange={(event) => {
        change(event.currentTarget.value);
      }}
    />
  );
}

/** Narrows by an amount, and reports a text that is not an amount. */
export function AmountField(props: Pick<FilterFieldProps, 'label' | 'value' | 'onType'>) {
  const isRight = props.value === '' || amountOf(props.value) !== '';
  return <FilterField {...props} error={isRight ? undefined : t('entries.amountForm')} />;
}
