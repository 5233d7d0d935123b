import { describe, expect, it } from '@jest/globals';
import { englishText } from '../../../messages/texts.js';
import { readFileText } from './file-text.js';

const bytes = (text: string, ...more: number[]) => Uint8Array.from([...new TextEncoder().encode(text), ...more]);

describe('the text of a file', () => {
  it('is UTF-8, with or without a byte order mark', () => {
    expect(readFileText(bytes('größe,🙂'))).toEqual({ text: 'größe,🙂' });
    expect(readFileText(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ text: 'a' });
    expect(readFileText(bytes(''))).toEqual({ text: '' });
  });

  it.each([
    ['a workbook', Uint8Array.from([0x50, 0x4b, 3, 4, 1]), 'not-text', undefined, 'Excel workbook'],
    ['an old workbook', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]), 'not-text', undefined, 'old Excel'],
    ['a PDF', bytes('%PDF-1.4'), 'not-text', undefined, 'PDF'],
    ['gzip', Uint8Array.from([0x1f, 0x8b, 8]), 'not-text', undefined, 'compressed'],
    ['a NUL', bytes('a', 0), 'not-text', undefined, 'bytes that no text has'],
    ['UTF-16, low byte first', Uint8Array.from([0xff, 0xfe, 0x61, 0]), 'encoding', undefined, 'UTF-16'],
    ['UTF-16, high byte first', Uint8Array.from([0xfe, 0xff, 0, 0x61]), 'encoding', undefined, 'UTF-16'],
    ['Latin-1 on line 3', bytes('a\r\nb\n', 0x42, 0xfc, 0x72, 0x6f), 'encoding', 3, 'Line 3'],
    ['a cut character', bytes('a', 0xc3), 'encoding', 1, 'Line 1'],
  ])('is not in %s', (_, file, problem, line, words) => {
    const read = readFileText(file);
    expect(read).toMatchObject({ problem, line });
    expect('detail' in read && englishText(read.detail)).toContain(words);
  });
});
