// Pure: the text of an uploaded file, or why it is none.

export type FileText =
  | { readonly text: string }
  | {
      /** `not-text`: another kind of file · `encoding`: text, but not in UTF-8. */
      readonly problem: 'not-text' | 'encoding';
      /** From 1; undefined where it is the file as a whole. */
      readonly line: number | undefined;
      /** What is wrong and what to do about it. */
      readonly detail: string;
    };

const FORMATS: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['an Excel workbook or another ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['an old Excel workbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['compressed', [0x1f, 0x8b]],
];
const UTF_16: readonly (readonly number[])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];
const SAVE_AS = 'Save it as "CSV UTF-8" and send that.';

/** A byte order mark of UTF-8 is taken off. */
export function readFileText(bytes: Uint8Array): FileText {
  const startsWith = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  const format = FORMATS.find(([, start]) => startsWith(start));
  if (format !== undefined) {
    return {
      problem: 'not-text',
      line: undefined,
      detail: `The file is ${format[0]}, not a text. ${SAVE_AS}`,
    };
  }
  if (UTF_16.some(startsWith)) {
    return {
      problem: 'encoding',
      line: undefined,
      detail: `The file is in UTF-16 ("Unicode text"). ${SAVE_AS}`,
    };
  }
  if (bytes.includes(0)) {
    return {
      problem: 'not-text',
      line: undefined,
      detail: `The file has bytes that no text has. ${SAVE_AS}`,
    };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const [before = ''] = new TextDecoder('utf-8').decode(bytes).split('\ufffd', 1);
    const line = before.split(/\r\n|\r|\n/).length;
    const detail = `Line ${line.toString()} has a character that is not in UTF-8, as in files saved as "ANSI", "Windows-1252" or "Latin-1". ${SAVE_AS}`;
    return { problem: 'encoding', line, detail };
  }
}
