import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import { anyRules } from '../../../test/support/any-rules.js';
import { readRuleFile, writeRuleFile, writeRuleSheet, type RuleFormat } from './rule-file.js';
import { expectWords } from '../messages/words.fixtures.js';
import { fieldsOf, readRule } from './domain/rule-fields.js';

const HEADER = 'subject,source,target';

function problems(text: string, format: RuleFormat = 'csv') {
  const file = readRuleFile(text, format);
  if ('rules' in file) return 'none';
  return file.problems.map(({ line, column, code, detail }) => {
    expectWords(detail);
    return [line, column, code];
  });
}

function sources(text: string, format: RuleFormat = 'csv') {
  const file = readRuleFile(text, format);
  return 'rules' in file ? file.rules.map(({ line, rule }) => [line, fieldsOf(rule).source]) : file.problems;
}

describe('a file of rules', () => {
  it.each(['csv', 'json'] as const)('as %s round-trips', (format) => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        fc.pre(rules.length > 0);
        const file = readRuleFile(writeRuleFile(rules, format), format);
        expect('rules' in file && file.rules.map(({ rule }) => rule)).toEqual(rules);
      }),
      { numRuns: 300 },
    );
  });

  it('as JSON has a rule a line, so that 50,000 of usual length are no more than is imported', () => {
    const content = { subject: 'account', source: '6071', target: '6072', itemType: 'card_purchase' };
    const read = readRule(content);
    const rules = 'rule' in read ? Array.from({ length: 50_000 }, () => read.rule) : [];
    const text = writeRuleFile(rules, 'json');
    expect(text.split('\n')[1]).toBe(`${JSON.stringify(content)},`);
    expect(Buffer.byteLength(text)).toBeLessThan(5 * 1_024 * 1_024);
  });

  it('as a workbook has a text in every cell', async () => {
    const content = { subject: 'account', source: '0071', target: '=6072', itemType: 'fee' };
    const read = readRule(content);
    const book = await writeRuleSheet('rule' in read ? [read.rule] : []);
    expect(await readSheet(book)).toEqual([
      ['subject', 'sourceGroup', 'source', 'itemType', 'tagGroup', 'tag', 'targetGroup', 'target'],
      ['account', null, '0071', 'fee', null, null, null, '=6072'],
    ]);
  });

  it('never has a cell that a spreadsheet would evaluate', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const cells = writeRuleFile(rules, 'csv').matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gu);
        for (const [, cell] of cells) {
          expect(cell).not.toMatch(/^"?[=+\-@＝＋－＠]/u);
        }
      }),
    );
  });

  it.each([
    ['comma', `${HEADER}\naccount,404,6071\n`],
    ['semicolon', 'subject;source;target\naccount;404;6071\n'],
    ['tab', 'subject\tsource\ttarget\naccount\t404\t6071\n'],
    ['columns in another order', 'target,tag,source,subject\n6071,,404,account\n'],
    ['quotes', '"subject","source","target"\r\n"account","404","6071"\r\n'],
    ['blanks around', ' subject , source , target\n account , 404 , 6071 \n'],
    ['empty lines', `${HEADER}\n\n,,\naccount,404,6071\n\n`],
  ])('may have %s', (_, text) => {
    const [row] = sources(text);
    expect(Array.isArray(row) && row[1]).toBe('404');
  });

  it.each<[string, readonly (readonly unknown[])[] | string]>([
    ['', [[1, undefined, 'no-rows']]],
    [HEADER, [[1, undefined, 'no-rows']]],
    ['subject,source\naccount,404', [[1, 'target', 'missing-column']]],
    [
      'Subject,source,target\naccount,404,6071',
      [
        [1, 'subject', 'missing-column'],
        [1, 'Subject', 'unknown-column'],
      ],
    ],
    [`${HEADER},target\naccount,404,6071,6072`, [[1, 'target', 'repeated-column']]],
    [`${HEADER},note\naccount,404,6071,x`, [[1, 'note', 'unknown-column']]],
    [`${HEADER},__proto__\naccount,404,6071,x`, [[1, '__proto__', 'unknown-column']]],
    [
      'subject|source|target\naccount|404|6071',
      [
        [1, 'subject', 'missing-column'],
        [1, 'source', 'missing-column'],
        [1, 'target', 'missing-column'],
        [1, 'subject|source|target', 'unknown-column'],
      ],
    ],
    [`${HEADER}\naccount,404`, [[2, undefined, 'wrong-number-of-cells']]],
    [`${HEADER}\naccount,404,6071,`, [[2, undefined, 'wrong-number-of-cells']]],
    [`${HEADER}\naccount,"404,6071`, [[2, '2', 'unbalanced-quote']]],
    [`${HEADER}\naccount,404,6071\naccount,405,1,23`, [[3, undefined, 'wrong-number-of-cells']]],
    [
      `${HEADER}\naccount,404,6071\naccount,404,6071`,
      [
        [2, 'source', 'overlap'],
        [3, 'source', 'overlap'],
      ],
    ],
    [`${HEADER}\naccount,${'x'.repeat(1_001)},6071`, [[2, '2', 'too-long']]],
    [`${HEADER}\naccount,${'x'.repeat(256)},6071`, [[2, 'source', 'too-long']]],
    [`${HEADER}\naccount,a\u200bb,6071`, [[2, 'source', 'unreadable-character']]],
    [`${HEADER}\n=account,404,6071`, [[2, 'subject', 'formula']]],
    [
      `${HEADER}\nvendor,,6071\naccount,404,\n`,
      [
        [2, 'subject', 'unknown-subject'],
        [2, 'source', 'missing'],
        [3, 'target', 'missing'],
      ],
    ],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it.each(['1E+05', '1e5', '1,5E+3', '#REF!', '#N/A', '#NAME?', '#DIV/0!', '1,23'])(
    'has no %s, which a spreadsheet produces, unless it is quoted with an apostrophe',
    (code) => {
      expect(problems(`${HEADER}\naccount,"${code}",6071`)).toEqual([[2, 'source', 'spreadsheet-artifact']]);
      expect(sources(`${HEADER}\naccount,"'${code}",6071`)).toEqual([[2, code]]);
    },
  );

  it.each(['=1', '+1', '-1', '@a', '＝1'])('has no %s without an apostrophe', (code) => {
    expect(problems(`${HEADER}\naccount,"${code}",6071`)).toEqual([[2, 'source', 'formula']]);
    expect(sources(`${HEADER}\naccount,"'${code}",6071`)).toEqual([[2, code]]);
  });

  it.each(['0100', '44197', '1.23', "O'Brien", '4.10.1', '1E'])('has %s as it is', (code) => {
    expect(sources(`${HEADER}\naccount,${code},6071`)).toEqual([[2, code]]);
  });

  it.each([
    ['[]', [[1, undefined, 'malformed-json']]],
    ['{"rules":', [[1, '10', 'malformed-json']]],
    ['{"rules":[\n{"subject":"account"\n "source":"1"}]}', [[3, '2', 'malformed-json']]],
    ['{"rules":[\r\n{"source":"1","source":"2"},\r\n]}', [[3, '1', 'malformed-json']]],
    ['{"rules":[x]}', [[1, '11', 'malformed-json']]],
    ['{"rules":[{"subject":"account","source":"1","target":"6071"},1]}', [[2, undefined, 'malformed-json']]],
    ['{"rules":[null]}', [[1, undefined, 'malformed-json']]],
    ['{"rules":[[[[[[[[]]]]]]]]}', [[1, undefined, 'malformed-json']]],
    ['{"rules":[]}', [[1, undefined, 'no-rows']]],
    ['{"rules":[{"subject":"account","source":404,"target":"6071"}]}', [[1, 'source', 'not-a-text']]],
    ['{"rules":[{"subject":"account","source":"1","target":"6071","id":"1"}]}', [[1, 'id', 'unknown-column']]],
    [
      '{"rules":[{"__proto__":{"subject":"account"},"source":"1","target":"6071"}]}',
      [[1, '__proto__', 'unknown-column']],
    ],
    [
      '{"rules":[{"subject":"account","source":"1","target":"6071"},{"subject":"account","source":"1"}]}',
      [[2, 'target', 'missing']],
    ],
  ])('of JSON: %s', (text, expected) => {
    expect(problems(text, 'json')).toEqual(expected);
  });

  it('of JSON may use null for an absent value, and text that looks like a formula', () => {
    const rules = [{ subject: 'account', source: '=1', target: '6071', itemType: null }];
    expect(sources(JSON.stringify({ rules }), 'json')).toEqual([[1, '=1']]);
  });
});
