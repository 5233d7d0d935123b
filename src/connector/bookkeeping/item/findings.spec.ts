import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import { Findings } from './findings.js';

const reason = (count: number) => message('sync.failure.attempts', { count });

describe('findings', () => {
  const [first, second] = [reason(1), reason(2)];
  const cause = { kind: 'account', reference: '6420' } as const;

  function found(): Findings {
    const findings = new Findings();
    for (const each of [first, second, first]) {
      findings.warn('fallback-account', each);
      findings.fail('account_unknown', each, cause);
    }
    return findings;
  }

  it('have each sentence once, in the order in which it was found', () => {
    expect(found().warnings.map((warning) => warning.reason)).toEqual([first, second]);
    expect(found().problems.map((problem) => problem.reason)).toEqual([first, second]);
  });

  it('of two steps together do so as well', () => {
    const findings = new Findings();
    findings.warn('fallback-account', second);
    findings.addAll(found());
    expect(findings.warnings.map((warning) => warning.reason)).toEqual([second, first]);
    expect(findings.problems.map((problem) => problem.reason)).toEqual([first, second]);
  });
});
