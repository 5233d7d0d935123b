import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { encodeIn, singleLine, textIn, type CodePage } from './code-page.js';

describe('text in a code page', () => {
  it.each<[text: string, pc8: string, ansi: string]>([
    ['plain ASCII ~', 'plain ASCII ~', 'plain ASCII ~'],
    ['åäöÅÄÖ éü ñ ß', 'åäöÅÄÖ éü ñ ß', 'åäöÅÄÖ éü ñ ß'],
    ['e\u0301 composed', 'é composed', 'é composed'],
    ['Øre på Ærø', 'Ore på Æro', 'Øre på Ærø'],
    ['Łódź, Šiauliai', 'Lódz, Siauliai', 'Lódz, Šiauliai'],
    ['5 € and ₹', '5 EUR and INR', '5 € and INR'],
    ['“quoted” – ‘it’s’ …', "\"quoted\" - 'it's' ...", '“quoted” – ‘it’s’ …'],
    ['漢字 😀', '?? ?', '?? ?'],
    ['ﬁ', 'fi', 'fi'],
    ['\ud800', '?', '?'],
  ])('%s', (text, pc8, ansi) => {
    expect([textIn('cp437', text), textIn('win1252', text)]).toEqual([pc8, ansi]);
  });

  it.each<[page: CodePage, bytes: string]>([
    ['cp437', '868484998ee182'],
    ['win1252', 'e5e4e4d6c4dfe9'],
  ])('%s has one byte for each character', (page, bytes) => {
    expect(encodeIn(page, 'åääÖÄßé').toString('hex')).toBe(bytes);
  });

  it.each<CodePage>(['cp437', 'win1252'])('%s can encode the cleaned form of any text', (page) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = textIn(page, singleLine(text));
        expect(iconv.decode(encodeIn(page, written), page)).toBe(written);
      }),
    );
  });

  it.each([
    ['a\r\nb', 'a b'],
    ['\ta\u0000\u0001b\u2028c\n', 'a b c'],
    ['a  b', 'a  b'],
  ])('reduces %j to one line', (text, line) => {
    expect(singleLine(text)).toBe(line);
  });
});
