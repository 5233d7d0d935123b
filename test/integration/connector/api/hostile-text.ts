/** The same numbers in every run: a failure names its input by the index. */
export function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

export const PIECES = [
  '',
  '0',
  '-1',
  'null',
  '%00',
  '%0d%0aset-cookie:%20a=b',
  '../',
  '..%2f',
  '"',
  "'; DROP TABLE installation; --",
  '<script>',
  '☃',
  '\u202e',
  'x'.repeat(3_000),
  '{}',
  '[]',
  'v1,',
  ' ',
  '=',
  '&',
  '%',
  '%ff',
  'a=b',
  ';',
  'https://evil.example',
] as const;

/** So many pieces, joined. */
export function junk(next: (below: number) => number): string {
  return Array.from({ length: 1 + next(3) }, () => PIECES[next(PIECES.length)] ?? '').join('');
}
