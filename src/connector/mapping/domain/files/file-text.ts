// Pure: the text of an uploaded file, or why it is none.
import { message, type Message } from '../../../../kernel/message.js';

export type FileText =
  | { readonly text: string }
  | {
      /** `not-text`: another kind of file · `encoding`: text, but not in UTF-8. */
      readonly problem: 'not-text' | 'encoding';
      /** From 1; undefined where it is the file as a whole. */
      readonly line: number | undefined;
      /** What is wrong and what to do about it. */
      readonly detail: Message;
    };

const FORMATS: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['workbook', [0x50, 0x4b, 0x03, 0x04]],
  ['legacy', [0xd0, 0xcf, 0x11, 0xe0]],
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['compressed', [0x1f, 0x8b]],
];
const UTF_16: readonly (readonly number[])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** A byte order mark of UTF-8 is taken off. */
export function readFileText(bytes: Uint8Array): FileText {
  const startsWith = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  const format = FORMATS.find(([, start]) => startsWith(start));
  if (format !== undefined) {
    return {
      problem: 'not-text',
      line: undefined,
      detail: message('rule-file.not-text', { format: format[0] }),
    };
  }
  if (UTF_16.some(startsWith)) {
    return {
      problem: 'encoding',
      line: undefined,
      detail: message('rule-file.utf-16'),
    };
  }
  if (bytes.includes(0)) {
    return {
      problem: 'not-text',
      line: undefined,
      detail: message('rule-file.bytes'),
    };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const [before = ''] = new TextDecoder('utf-8').decode(bytes).split('\ufffd', 1);
    const line = before.split(/\r\n|\r|\n/).length;
    return { problem: 'encoding', line, detail: message('rule-file.not-utf-8', { line }) };
  }
}
