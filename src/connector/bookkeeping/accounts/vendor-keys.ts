import { textOf, type Nullable } from '../item/export-item.js';

// How vendor data of two systems is made comparable (B3.5).

/** @returns letters and digits only, in upper case: "DK 12-34.56 78" is "DK12345678"; undefined when none is left. */
export function normalizedTaxNumber(text: Nullable<string>): string | undefined {
  const kept = text?.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return textOf(kept);
}

/** @returns country and name as one key; undefined when the country is not known: a name alone does not identify a vendor. */
export function vendorNameKey(name: string, country: Nullable<string>): string | undefined {
  const code = textOf(country)?.toUpperCase();
  return code === undefined || code === 'UNDEFINED' ? undefined : `${code} ${normalizedName(name)}`;
}

// Upper and then lower case folds what lower case alone keeps apart (ß and ss, the two small sigmas).
function normalizedName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();
}
