import { describe, expect, it } from '@jest/globals';
import { answerOf, keyOf } from './sample-answers.js';

const at = (path: string) => new URL(`http://connector${path}`);
const answers = {
  '/api/v1/me': { role: 'admin' },
  '/api/v1/issues?limit=5': { data: [{ state: 'open', name: 'Tools' }], nextCursor: 'x' },
  '/api/v1/issues?limit=9': {
    data: [
      { state: 'open', name: 'Tools' },
      { state: 'closed', name: 'Travel', accounts: [{ code: '6420' }] },
    ],
    nextCursor: null,
  },
};

describe('the sample company', () => {
  it('responds as recorded, in any order of the query', () => {
    expect(keyOf(at('/api/v1/jobs?to=b&from=a'))).toBe('/api/v1/jobs?from=a&to=b');
    expect(answerOf(answers, at('/api/v1/me'))).toEqual({ role: 'admin' });
    expect(answerOf(answers, at('/api/v1/issues?limit=5'))).toEqual(answers['/api/v1/issues?limit=5']);
  });

  it.each([
    ['state=closed', ['Travel']],
    ['search=tool&sort=amount', ['Tools']],
    ['account=6420', ['Travel']],
    ['search=nothing', []],
  ])('selects from the longest recorded list by %s', (query, names) => {
    const answer = answerOf(answers, at(`/api/v1/issues?${query}`));
    expect(answer).toEqual({
      data: names.map((name): unknown => expect.objectContaining({ name })),
      total: names.length,
      nextCursor: null,
    });
  });

  it('has no response to a request that was not recorded', () => {
    expect(answerOf(answers, at('/api/v1/previews'))).toBeUndefined();
  });
});
