// Every code that the program can say has a text. Codes come from its own lists; of failure types and checks of entries from its
// sources, where they are written out.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALERT_KINDS, alertMessages, type AlertKind } from '../../src/connector/alerts/domain/alert.js';
import type { IssueKind } from '../../src/connector/bookkeeping/item/issues.js';
import { englishText, hasText } from '../../src/connector/messages/texts.js';
import { DISCREPANCY_CLASSES } from '../../src/connector/reconciliation/domain/discrepancy-class.js';
import { adviceOn, problemOf } from '../../src/connector/review/domain/issue-resolution.js';

const sources = globSync('src/connector/**/*.ts')
  .filter((path) => !/\.(spec|fixtures)\.ts$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const namedIn = (pattern: RegExp) => [...new Set([...sources.matchAll(pattern)].map(([, name = '']) => name))].sort();

describe('there is a text for', () => {
  it.each(DISCREPANCY_CLASSES)('discrepancies %s', (name) => {
    expect(hasText(`discrepancy.${name}`)).toBe(true);
  });

  it.each(ALERT_KINDS)('alerts %s, with and without a detail', (kind: AlertKind) => {
    for (const detail of ['', 'x']) {
      const { title, advice } = alertMessages({ kind, detail, count: 2 });
      expect([englishText(title), englishText(advice)]).not.toContain(undefined);
    }
  });

  it.each([
    ...['waiting', 'uncertain', 'waiting.advice', 'uncertain.advice'].map((name) => `month-end.${name}`),
    ...['open', 'signed', 'reopened'].map((name) => `month-end.state.${name}`),
    ...['bookkeeper', 'accounting-system', 'platform', 'none'].map((name) => `month-end.who.${name}`),
    ...['not-offered', 'unavailable', 'unknown-account'].map((name) => `month-end.silence.${name}`),
    ...['sent', 'taken-back', 'draft', 'refused', 'left'].map((name) => `test-posting.${name}`),
  ])('%s', (code) => {
    expect(hasText(code)).toBe(true);
  });

  const kinds = /export type IssueKind =([^;]+);/.exec(sources)?.[1]?.match(/[a-z-]+/g) ?? [];
  it.each(kinds)('issues %s, and what to do about them', (kind) => {
    const issue = { kind: kind as IssueKind, reference: kind === 'entry' ? 'sum' : 'x', group: 'G' };
    expect(englishText(problemOf(issue))).toMatch(/^[A-Z].{10,}\.$/);
    expect(englishText(adviceOn(issue))).toMatch(/^[A-Z].{10,}\.$/);
  });

  it.each(namedIn(/entryIssue\('([a-z-]+)'/g))('the check %s of an entry', (check) => {
    expect(hasText(`issue.entry.${check}`)).toBe(true);
  });

  const declared = [.../export type (?:Job)?FailureType =([^;]+);/g[Symbol.matchAll](sources)].map(
    ([, names = '']) => names,
  );
  const written = namedIn(/failureType: '([a-z_]+)'/g);
  it.each([...new Set([...(declared.join('').match(/[a-z_]{8,}/g) ?? []), ...written])])('failures %s', (type) => {
    expect(hasText(`failure.${type}`)).toBe(true);
  });

  it('every kind, check and declaration that the searches above have to find; who adds one raises its number', () => {
    expect([kinds.length, namedIn(/entryIssue\('([a-z-]+)'/g).length, declared.length]).toEqual([24, 18, 2]);
  });
});
