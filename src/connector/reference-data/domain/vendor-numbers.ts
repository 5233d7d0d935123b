// Whether registration and tax numbers are plausible. An implausible number is passed on, because the ERP is the source,
// and reported, so that a person checks it; one that cannot be stored is left out.
import { normalizedTaxNumber } from '../../bookkeeping/accounts/vendor-keys.js';
import { countryOf } from './countries.js';
import { MAX_TEXT_LENGTH } from './sync-plan.js';

/** What follows the two letters of the country, in the form of Council Directive 2006/112/EC, Article 215. */
const VAT_FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{1,2})$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

interface Numbers {
  readonly country?: string | null | undefined;
  readonly registrationNumber?: string | null | undefined;
  readonly taxNumber?: string | null | undefined;
}

/** @returns the number without outer blanks; undefined when it holds no letter or digit, or is no single line of bearable length */
export function storableNumber(number: string | null | undefined): string | undefined {
  const trimmed = number?.trim() ?? '';
  const isFit =
    trimmed.length <= MAX_TEXT_LENGTH && !/\p{Cc}/u.test(trimmed) && normalizedTaxNumber(trimmed) !== undefined;
  return isFit ? trimmed : undefined;
}

/** @returns one sentence for each thing that a person should check */
export function numberWarnings({ country, registrationNumber, taxNumber }: Numbers): readonly string[] {
  const named = country?.trim() ?? '';
  const lost = ([what, number]: readonly [string, string | null | undefined]) =>
    (number?.trim() ?? '') !== '' && storableNumber(number) === undefined
      ? [`Its ${what} holds nothing that could be one, and is left out.`]
      : [];
  return [
    ...(named !== '' && named !== 'UNDEFINED' && countryOf(named) === undefined
      ? [`Its country ${named} is no code of ISO 3166, and is left out.`]
      : []),
    ...lost(['registration number', registrationNumber]),
    ...lost(['tax number', taxNumber]),
    ...vatWarning(country, taxNumber),
  ];
}

/** Only a number that says itself that it is a VAT number of a country can be wrong as one. */
function vatWarning(country: Numbers['country'], taxNumber: Numbers['taxNumber']): readonly string[] {
  const number = normalizedTaxNumber(storableNumber(taxNumber) ?? '') ?? '';
  const prefix = number.startsWith('GR') ? 'EL' : number.slice(0, 2);
  const form = VAT_FORMS[prefix];
  if (form === undefined) {
    return [];
  }
  if (!form.test(number.slice(2))) {
    return [`Its tax number ${number} does not have the form of one of ${prefix}.`];
  }
  const of = countryOf(country);
  return of !== undefined && of !== countryOf(prefix)
    ? [`Its tax number ${number} is of ${prefix}, but its country is ${of}.`]
    : [];
}
