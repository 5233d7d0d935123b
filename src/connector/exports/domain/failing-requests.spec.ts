// Posting rounds with an ERP that fails on requests, because of a group in them or of itself.
import { describe, expect, it } from '@jest/globals';
import {
  applyEvent,
  beginRounds,
  nextAction,
  type FoundGroup,
  type PostingRounds,
  type RoundFailure,
} from './posting-rounds.js';

type Rounds = PostingRounds<FoundGroup, RoundFailure>;

const SERVER_ERROR: RoundFailure = { kind: 'server-error', message: 'POST /groups: 500' };
const CREATED = { outcome: 'created', posted: { revision: 1, contentDigest: 'meant', reversed: false } } as const;

/** All rounds with an ERP that fails on every request with one of these groups. @returns the requests of each round, by size */
function playFailing(count: number, failing: (key: string) => boolean, failure: RoundFailure = SERVER_ERROR) {
  const groups = Array.from({ length: count }, (_, index) => ({
    key: index.toString(),
    revision: 1,
    contentDigest: 'meant',
  }));
  let rounds: Rounds = beginRounds({ level: 'permanent-key' }, groups);
  const sizes: number[][] = [];
  for (;;) {
    const next = nextAction(rounds);
    switch (next.action) {
      case 'send': {
        const parts = next.requests;
        sizes.push(parts.map(({ length }) => length));
        const outcomeOf = (part: readonly { readonly key: string }[]) =>
          part.some(({ key }) => failing(key)) ? ({ outcome: 'unknown', failure } as const) : CREATED;
        const outcomes = parts.flatMap((part) => part.map(({ key }) => [key, outcomeOf(part)] as const));
        rounds = applyEvent(rounds, { event: 'sent', outcomes: new Map(outcomes) });
        break;
      }
      case 'look-up':
        rounds = applyEvent(rounds, {
          event: 'looked-up',
          found: new Map<string, FoundGroup>(),
          conclusive: new Set(next.keys),
        });
        break;
      case 'mark':
        rounds = applyEvent(rounds, { event: 'marked' });
        break;
      case 'wait':
        expect(next.ms).toBeLessThanOrEqual(3_200);
        rounds = applyEvent(rounds, { event: 'waited' });
        break;
      case 'advance-revisions':
        throw new Error('nothing was reversed');
      case 'finish': {
        const failed = [...rounds.outcomes].filter(([, { outcome }]) => outcome === 'fails-alone');
        return { sizes, failure: next.failure, failed: failed.map(([key]) => key), taken: rounds.outcomes.size };
      }
    }
  }
}

describe('posting rounds', () => {
  it('send fewer and fewer groups in one request to an ERP that fails on one of them, which fails alone [H18]', () => {
    expect(playFailing(16, (key) => key === '5')).toEqual({
      sizes: [[16], [8, 8], [2, 2, 2, 2], [1, 1]],
      failure: undefined,
      failed: ['5'],
      taken: 16,
    });
    expect(playFailing(500, (key) => key === '123')).toMatchObject({ failed: ['123'], taken: 500 });
    expect(playFailing(500, (key) => ['7', '8', '107'].includes(key)).failed).toEqual(['7', '8', '107']);
  });

  it('end after three with an ERP that fails on all of them', () => {
    expect(playFailing(500, () => true)).toEqual({
      sizes: [[500], [250, 250], [125, 125, 125, 125]],
      failure: expect.anything(),
      failed: [],
      taken: 0,
    });
  });

  it.each([{ kind: 'timeout' }, { kind: 'server-error', retryAfterMs: 100 }, {}])(
    'send all groups in one request after a failure that no group is to blame for: %j',
    (failure) => {
      expect(playFailing(4, (key) => key === '1', failure)).toEqual({
        sizes: [[4], [4], [4]],
        failure: expect.anything(),
        failed: [],
        taken: 0,
      });
    },
  );

  it('leave a single group open on which the ERP fails: it may fail on all', () => {
    expect(playFailing(1, () => true)).toMatchObject({ sizes: [[1], [1], [1]], failed: [], taken: 0 });
  });
});
