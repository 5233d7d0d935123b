// Text in the one-byte code pages that accounting files are read with.
import iconv from 'iconv-lite';

/** PC8 of SIE files and ANSI of DATEV files. */
export type CodePage = 'cp437' | 'win1252';

/** What has no accents to drop, where the code page lacks it. */
const REPLACEMENTS = new Map(
  Object.entries({
    ...{ '€': 'EUR', '₤': 'GBP', '₩': 'KRW', '₹': 'INR', '₺': 'TRY', '₽': 'RUB', '…': '...', '™': '(TM)' },
    ...{ '‘': "'", '’': "'", '‚': "'", '“': '"', '”': '"', '„': '"', '‹': "'", '›': "'" },
    ...{ '–': '-', '—': '-', '−': '-', '‐': '-', '‑': '-', '•': '-' },
    ...{ Ø: 'O', ø: 'o', Œ: 'OE', œ: 'oe', Ð: 'D', ð: 'd', Đ: 'D', đ: 'd', ẞ: 'SS' },
    ...{ Ł: 'L', ł: 'l', Þ: 'TH', þ: 'th', ı: 'i' },
  }),
);
const COMBINING_MARKS = /\p{M}/gu;
const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The text in one line: each run of control characters and line breaks becomes a blank. */
export function singleLine(text: string): string {
  return text.replace(LINE_BREAKS_AND_CONTROLS, ' ').trim();
}

/**
 * The text in characters of the code page only: a character that it lacks loses its accent, becomes the letters of a short
 * table (€ is EUR), or a question mark.
 */
export function textIn(page: CodePage, text: string): string {
  return Array.from(text.normalize('NFC'), (character) => characterIn(page, character)).join('');
}

/** @param text as `textIn` returns it */
export function encodeIn(page: CodePage, text: string): Buffer {
  return iconv.encode(text, page);
}

function characterIn(page: CodePage, character: string): string {
  if (isIn(page, character)) return character;
  const plain = REPLACEMENTS.get(character) ?? character.normalize('NFKD').replace(COMBINING_MARKS, '');
  return isIn(page, plain) ? plain : '?';
}

function isIn(page: CodePage, text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) || iconv.decode(iconv.encode(text, page), page) === text;
}
