import { describe, expect, it } from '@jest/globals';
import { parseCommandLine } from './command-line.js';

const USAGE = 'usage: replay --job <id>';
const OPTIONS = { job: { type: 'string' } } as const;

describe('parseCommandLine', () => {
  it.each([
    { argv: [], values: {}, positionals: [] },
    { argv: ['--job', 'a'], values: { job: 'a' }, positionals: [] },
    { argv: ['--job=a', 'add', 'books'], values: { job: 'a' }, positionals: ['add', 'books'] },
  ])('reads $argv', ({ argv, values, positionals }) => {
    expect(parseCommandLine(argv, USAGE, OPTIONS, 2)).toEqual({
      read: expect.objectContaining({ values: expect.objectContaining(values) as unknown, positionals }) as unknown,
    });
  });

  it.each([['--help'], ['-h'], ['--job', 'a', '--help']])('%s prints the usage and is no mistake', (...argv) => {
    expect(parseCommandLine(argv, USAGE, OPTIONS)).toEqual({ text: USAGE, exitCode: 0 });
  });

  it.each([
    { argv: ['--jobs', 'a'], sentence: "Unknown option '--jobs'" },
    { argv: ['--job'], sentence: "Option '--job <value>' argument missing" },
    { argv: ['all'], sentence: "Unexpected argument 'all'" },
    { argv: ['--', '--jobs'], sentence: "Unexpected argument '--jobs'" },
  ])('$argv is a mistake, with what the command takes', ({ argv, sentence }) => {
    expect(parseCommandLine(argv, USAGE, OPTIONS)).toEqual({ text: `${sentence}\n${USAGE}`, exitCode: 2 });
  });
});
