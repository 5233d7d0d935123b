import { Transform } from 'class-transformer';

const DIGITS = /^\d{1,15}$/;

/** Of a query: a whole number written in digits. Any other form ("1e3", "0x10", " 1") stays a text, which is no number. */
export const NumberInDigits = (): PropertyDecorator =>
  Transform(({ value }: { readonly value: unknown }) =>
    typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
  );
