import { describe, expect, it } from '@jest/globals';
import { pointerInWords } from './pointer.js';

const WORDS: Readonly<Record<string, string>> = { entries: 'entry', lines: 'line', postingDate: 'posting date' };

describe('the position of a value in an entry', () => {
  it.each([
    ['/entries/0/lines/1/account/code', 'entry 1, line 2, account'],
    ['/entries/1/postingDate', 'entry 2, posting date'],
    ['/lines/9', 'line 10'],
    ['', ''],
  ])('%s is shown as "%s"', (pointer, words) => {
    expect(pointerInWords(pointer, (name) => WORDS[name] ?? name)).toBe(words);
  });
});
