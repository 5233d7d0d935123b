// Number formats of a workbook that show zeros before a number: a cell with 400 and the format 0000 shows the code 0400.

/** A format that shows a code with zeros before it. */
export interface ZeroFormat {
  /** As it stands in the workbook. */
  readonly template: string;
  /** How many digits a whole number has at least; undefined where more than zeros is shown, for instance 00-00. */
  readonly digits: number | undefined;
}

/** With a part for texts, and a language, which change no digit. */
const PLAIN = /^(?:\[\$-[0-9a-f]+\])?(0{2,15})(?:;@)?$/i;
/** Two zeros that no other sign for digits stands before. */
const HAS_ZEROS = /(?:^|[^0#?.,])0{2}|0[^0#?.,]+0/;

/**
 * @param styles `xl/styles.xml` of the workbook; empty when it has none
 * @returns those that it declares
 */
export function zeroFormatsOf(styles: string): readonly ZeroFormat[] {
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

const SIGNS: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(quot|amp|lt|gt|apos);/g, (_, name: string) => SIGNS[name] ?? '');
}
