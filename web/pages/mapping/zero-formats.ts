// Number formats of a workbook that show zeros before a number: a cell with 400 and the format 0000 shows the code 0400.

/** A format that shows a code with zeros before it. */
export interface ZeroFormat {
  /** As it stands in the workbook. */
  readonly template: string;
  /** How many digits a whole number has at least; undefined where more than zeros is shown, for instance 00-00. */
  readonly digits: number | undefined;
}

const STYLES = 'xl/styles.xml';
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;
const END = 0x06054b50;
const END_BYTES = 22;
/** With a part for texts, and a language, which change no digit. */
const PLAIN = /^(?:\[\$-[0-9a-f]+\])?(0{2,15})(?:;@)?$/i;
/** Two zeros that no other sign for digits stands before. */
const HAS_ZEROS = /(?:^|[^0#?.,])0{2}|0[^0#?.,]+0/;

/** @returns those that the workbook declares; none when it has no styles, or is no ZIP archive */
export async function zeroFormatsOf(workbook: ArrayBuffer): Promise<readonly ZeroFormat[]> {
  const styles = await readEntry(workbook, STYLES);
  const templates = Array.from(styles.matchAll(/\sformatCode="([^"]*)"/g), ([, code = '']) => unescaped(code));
  return [...new Set(templates)].filter(showsZeros).map((template) => ({
    template,
    digits: PLAIN.exec(template)?.[1]?.length,
  }));
}

function showsZeros(template: string): boolean {
  const [positive = ''] = template
    .replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|[_*]./g, ' ')
    .trim()
    .split(';');
  // Dates are recognized by themselves.
  return !/[dmyhse]/i.test(positive) && HAS_ZEROS.test(positive.split('.')[0] ?? '');
}

/** By the directory at the end of the archive (PKWARE APPNOTE 4.3). @returns empty when it has no such entry */
async function readEntry(archive: ArrayBuffer, name: string): Promise<string> {
  const view = new DataView(archive);
  let end = archive.byteLength - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) return '';
  let at = view.getUint32(end + 16, true);
  while (at + DIRECTORY_ENTRY_BYTES <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    const length = view.getUint16(at + 28, true);
    if (new TextDecoder().decode(new Uint8Array(archive, at + DIRECTORY_ENTRY_BYTES, length)) === name) {
      const header = view.getUint32(at + 42, true);
      const start = header + LOCAL_HEADER_BYTES + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
      const bytes = new Uint8Array(archive, start, view.getUint32(at + 20, true));
      return view.getUint16(at + 10, true) === DEFLATED ? inflated(bytes) : new TextDecoder().decode(bytes);
    }
    at += DIRECTORY_ENTRY_BYTES + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return '';
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}

const SIGNS: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(quot|amp|lt|gt|apos);/g, (_, name: string) => SIGNS[name] ?? '');
}
