import { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';

/** A UUID, in lower case as PostgreSQL returns it. */
export const uuidField = z.guid().transform((id) => id.toLowerCase());

/** Whether PostgreSQL can store a text: not with a character 0 or half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export const textField = z.string().refine(isStorable, 'holds a character that cannot be stored');

/** Longest key that is unique, in characters: what an index can keep. */
export const MAX_KEY_LENGTH = 500;
export const keyField = textField.min(1).max(MAX_KEY_LENGTH);

/** A list of different values, as the platform declares its filters; nulls are not compared. */
export function distinctList<Element extends z.ZodType>(element: Element, most: number) {
  return z
    .array(element)
    .max(most)
    .refine((values) => {
      const given = values.filter((value) => value !== null);
      return new Set(given).size === given.length;
    }, 'must not repeat a value');
}

/** What JSON writes for a character that cannot be stored; after an escaped backslash the same letters are only letters. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Free storage of an integration. */
export const metadataField = z
  .record(z.string(), z.unknown())
  .refine((value) => !UNSTORABLE_ESCAPE.test(JSON.stringify(value)), 'holds a character that cannot be stored');

/** Codes of ISO 4217 that were withdrawn (its list three): a vendor may be older than the euro. */
const WITHDRAWN_CURRENCIES: ReadonlySet<string> = new Set(
  `ADP AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM AZN BAD BEC BEF BEL BGJ BGK BGL BGN BOP BRB BRC BRE BRN BRR BUK BYB BYR CHC
  CSD CSJ CSK CUC CYP DDM DEM ECS ECV EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS GQE GRD GWE GWP HRD HRK IEP ILP ILR ISJ ITL LAJ
  LSM LTL LTT LUC LUF LUL LVL LVR MGF MLF MRO MTL MTP MVQ MXP MZE MZM NIC NLG PEH PEI PES PLZ PTE RHD ROK ROL RUR SDD SDP SIT SKK
  SLL SRG STD SUR TJR TMM TPE TRL UAK UGS UGW USS UYN UYP VEB VEF VNC XEU XFO XFU XRE YDD YUD YUM YUN ZAL ZMK ZRN ZRZ ZWC ZWD ZWL
  ZWN ZWR`.split(/\s+/),
);

/** What is said of a text that is no currency. */
export const NO_CURRENCY = 'is no ISO 4217 currency code';

const isCurrency = (code: string): boolean => parseCurrency(code) !== undefined || WITHDRAWN_CURRENCIES.has(code);

export const currencyField = z.string().refine(isCurrency, NO_CURRENCY);

/** Codes without a country, or that are no money, are published nevertheless (P1.8). */
const UNUSUAL: ReadonlySet<string> = new Set(
  'UNDEFINED XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
);

/** A currency as items may name it. */
export const publishedCurrencyField = z.string().refine((code) => isCurrency(code) || UNUSUAL.has(code), NO_CURRENCY);
