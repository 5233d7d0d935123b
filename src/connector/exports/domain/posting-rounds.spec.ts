import { describe, expect, it } from '@jest/globals';
import type { PostingGuarantee } from '../../erp/domain/posting-guarantee.js';
import {
  applyEvent,
  beginRounds,
  nextAction,
  type FoundGroup,
  type PostingRounds,
  type RoundEvent,
  type RoundFailure,
} from './posting-rounds.js';
import type { SendOutcome } from './send-outcome.js';

type Event = RoundEvent<FoundGroup, RoundFailure>;
type Rounds = PostingRounds<FoundGroup, RoundFailure>;

const PERMANENT_KEY: PostingGuarantee = { level: 'permanent-key' };
const EXPIRING_KEY: PostingGuarantee = { level: 'expiring-key', keyLifeMs: 1_800_000 };
const SEARCHABLE: PostingGuarantee = { level: 'searchable-reference', searchLagMs: 60_000 };
const NOTHING: PostingGuarantee = { level: 'none' };

const NO_RESPONSE: RoundFailure = {};
const LATER: RoundFailure = { retryAfterMs: 5_000 };
const MUCH_LATER: RoundFailure = { retryAfterMs: 60_000 };

const posted = { revision: 1, contentDigest: 'meant', reversed: false };
const other = { ...posted, contentDigest: 'other' };
const reversed = { ...posted, reversed: true };

const created: SendOutcome<FoundGroup, RoundFailure> = { outcome: 'created', posted };
const unknown = { outcome: 'unknown', failure: NO_RESPONSE } as const;
const notSent = { outcome: 'not-sent', failure: NO_RESPONSE } as const;
const refused = { outcome: 'refused', message: 'period is closed' } as const;
const isReversed: SendOutcome<FoundGroup, RoundFailure> = { outcome: 'existed', posted: reversed };

/** @param outcomes by key; a key that is absent was held back */
function sent(outcomes: Readonly<Record<string, SendOutcome<FoundGroup, RoundFailure>>>): Event {
  return { event: 'sent', outcomes: new Map(Object.entries(outcomes)) };
}

function lookedUp(found: Readonly<Record<string, FoundGroup>>, ...conclusive: readonly string[]): Event {
  return { event: 'looked-up', found: new Map(Object.entries(found)), conclusive: new Set(conclusive) };
}

function advanced(key: string, revision: number): Event {
  const replaced = new Map([[key, `journal-${key}`]]);
  return { event: 'revisions-advanced', revisions: new Map([[key, revision]]), replaced };
}

const marked: Event = { event: 'marked' };
const waited: Event = { event: 'waited' };

/** @returns what is done after each of the events, in words */
function play(guarantee: PostingGuarantee, keys: string, events: readonly Event[]) {
  let rounds: Rounds = beginRounds(
    guarantee,
    Array.from(keys, (key) => ({ key, revision: 1, contentDigest: 'meant' })),
  );
  const actions = [actionText(rounds)];
  for (const event of events) {
    rounds = applyEvent(rounds, event);
    actions.push(actionText(rounds));
  }
  const outcomes = Object.fromEntries([...rounds.outcomes].map(([key, { outcome }]) => [key, outcome]));
  return { actions, outcomes, rounds };
}

function actionText(rounds: Rounds): string {
  const next = nextAction(rounds);
  switch (next.action) {
    case 'send':
      return `send ${next.requests
        .flat()
        .map(({ key, revision }) => `${key}${revision.toString()}`)
        .join(' ')}`;
    case 'mark':
      return `mark uncertain ${next.uncertain.join()} rejected ${next.rejected.join()}`;
    case 'wait':
      return `wait ${next.ms.toString()}`;
    case 'look-up':
      return `look up ${next.keys.join()}`;
    case 'advance-revisions':
      return `advance ${[...next.reversed.keys()].join()}`;
    case 'finish':
      return `finish ${typeof next.failure === 'string' ? next.failure : next.failure === undefined ? 'without failure' : 'with failure'}`;
  }
}

interface Case {
  readonly of: string;
  readonly guarantee?: PostingGuarantee;
  readonly keys?: string;
  readonly events: readonly Event[];
  readonly actions: readonly string[];
  readonly outcomes: Readonly<Record<string, string>>;
}

const unknownThenAbsent = [sent({ a: unknown }), marked, waited, lookedUp({}, 'a'), marked];
const thirdWait = 'wait 3200';

const CASES: readonly Case[] = [
  {
    of: 'no groups',
    keys: '',
    events: [],
    actions: ['finish without failure'],
    outcomes: {},
  },
  {
    of: 'a definite outcome ends it in one round',
    keys: 'ab',
    events: [sent({ a: created, b: refused })],
    actions: ['send a1 b1', 'finish without failure'],
    outcomes: { a: 'created', b: 'refused' },
  },
  {
    of: 'an unknown outcome is marked, then looked up; what is found is not sent again',
    events: [sent({ a: unknown }), marked, waited, lookedUp({ a: posted }, 'a')],
    actions: ['send a1', 'mark uncertain a rejected ', 'wait 800', 'look up a', 'finish without failure'],
    outcomes: { a: 'existed' },
  },
  {
    of: 'what is found with other content is a conflict',
    events: [sent({ a: unknown }), marked, waited, lookedUp({ a: other })],
    actions: ['send a1', 'mark uncertain a rejected ', 'wait 800', 'look up a', 'finish without failure'],
    outcomes: { a: 'conflict' },
  },
  {
    of: 'what is surely absent is sent again, alone',
    keys: 'ab',
    events: [sent({ a: unknown, b: created }), marked, waited, lookedUp({}, 'a'), marked, sent({ a: created })],
    actions: [
      'send a1 b1',
      'mark uncertain a rejected ',
      'wait 800',
      'look up a',
      'mark uncertain  rejected a',
      'send a1',
      'finish without failure',
    ],
    outcomes: { a: 'created', b: 'created' },
  },
  {
    of: 'after three rounds the failure of the last one remains',
    events: [...unknownThenAbsent, ...unknownThenAbsent, ...unknownThenAbsent],
    actions: [
      ...['send a1', 'mark uncertain a rejected ', 'wait 800', 'look up a', 'mark uncertain  rejected a'],
      ...['send a1', 'mark uncertain a rejected ', 'wait 1600', 'look up a', 'mark uncertain  rejected a'],
      ...['send a1', 'mark uncertain a rejected ', thirdWait, 'look up a', 'mark uncertain  rejected a'],
      'finish with failure',
    ],
    outcomes: {},
  },
  {
    of: 'a look-up without response ends the rounds: a second post could be a double one',
    events: [sent({ a: unknown }), marked, waited, { event: 'not-looked-up', failure: NO_RESPONSE }],
    actions: ['send a1', 'mark uncertain a rejected ', 'wait 800', 'look up a', 'finish with failure'],
    outcomes: {},
  },
  {
    of: 'a worker that stops ends the rounds after it has marked what it knows',
    events: [sent({ a: unknown }), marked, { event: 'stopped' }],
    actions: ['send a1', 'mark uncertain a rejected ', 'wait 800', 'finish stopping'],
    outcomes: {},
  },
  {
    of: 'the wait is as long as the ERP asks for',
    events: [sent({ a: { ...unknown, failure: LATER } }), marked],
    actions: ['send a1', 'mark uncertain a rejected ', 'wait 5000'],
    outcomes: {},
  },
  {
    of: 'a longer wait than ten seconds is left to the job',
    events: [sent({ a: { ...unknown, failure: MUCH_LATER } }), marked],
    actions: ['send a1', 'mark uncertain a rejected ', 'finish with failure'],
    outcomes: {},
  },
  {
    of: 'what was not sent is looked up all the same where the look-up is conclusive at once',
    guarantee: EXPIRING_KEY,
    events: [sent({ a: notSent }), waited, lookedUp({}, 'a'), marked],
    actions: ['send a1', 'wait 800', 'look up a', 'mark uncertain  rejected a', 'send a1'],
    outcomes: {},
  },
  {
    of: 'what was not sent counts as rejected where the look-up may lag',
    guarantee: SEARCHABLE,
    events: [sent({ a: notSent }), marked, waited],
    actions: ['send a1', 'mark uncertain  rejected a', 'wait 800', 'send a1'],
    outcomes: {},
  },
  {
    of: 'a search that may lag leaves the group open and does not hold others back',
    guarantee: SEARCHABLE,
    keys: 'ab',
    events: [
      sent({ a: unknown, b: created }),
      marked,
      ...[waited, lookedUp({})],
      ...[waited, lookedUp({})],
      ...[waited, lookedUp({})],
    ],
    actions: [
      'send a1 b1',
      'mark uncertain a rejected ',
      ...['wait 800', 'look up a'],
      ...['wait 1600', 'look up a'],
      ...[thirdWait, 'look up a'],
      'finish without failure',
    ],
    outcomes: { b: 'created' },
  },
  {
    of: 'a search that may lag, with no definite outcome at all, ends with the failure',
    guarantee: SEARCHABLE,
    events: [
      sent({ a: unknown }),
      marked,
      ...[waited, lookedUp({})],
      ...[waited, lookedUp({})],
      ...[waited, lookedUp({})],
    ],
    actions: [
      'send a1',
      'mark uncertain a rejected ',
      ...['wait 800', 'look up a'],
      ...['wait 1600', 'look up a'],
      ...[thirdWait, 'look up a'],
      'finish with failure',
    ],
    outcomes: {},
  },
  {
    of: 'without a search an unknown outcome needs manual review at once',
    guarantee: NOTHING,
    keys: 'ab',
    events: [sent({ a: unknown, b: created }), marked],
    actions: ['send a1 b1', 'mark uncertain a rejected ', 'finish without failure'],
    outcomes: { b: 'created', a: 'needs-manual-review' },
  },
  {
    of: 'without a search and without any definite outcome, no more is sent for now',
    guarantee: NOTHING,
    events: [sent({ a: unknown }), marked],
    actions: ['send a1', 'mark uncertain a rejected ', 'finish with failure'],
    outcomes: { a: 'needs-manual-review' },
  },
  {
    of: 'a group that is held back is looked up without being sent',
    events: [sent({}), waited, lookedUp({ a: posted })],
    actions: ['send a1', 'wait 800', 'look up a', 'finish without failure'],
    outcomes: { a: 'existed' },
  },
  {
    of: 'what is reversed is sent as the next revision, without a wait',
    events: [sent({ a: isReversed }), advanced('a', 2), sent({ a: created })],
    actions: ['send a1', 'advance a', 'send a2', 'finish without failure'],
    outcomes: { a: 'created' },
  },
  {
    of: 'what a look-up finds reversed is sent as the next revision',
    events: [sent({ a: unknown }), marked, waited, lookedUp({ a: reversed }), advanced('a', 2)],
    actions: ['send a1', 'mark uncertain a rejected ', 'wait 800', 'look up a', 'advance a', 'send a2'],
    outcomes: {},
  },
  {
    of: 'an older revision is not what the look-up asked for',
    events: [
      ...[sent({ a: isReversed }), advanced('a', 2)],
      ...[sent({ a: unknown }), marked, waited, lookedUp({ a: reversed }, 'a')],
    ],
    actions: [
      ...['send a1', 'advance a', 'send a2'],
      ...['mark uncertain a rejected ', 'wait 1600', 'look up a', 'mark uncertain  rejected a'],
    ],
    outcomes: {},
  },
  {
    of: 'what is reversed each time ends after three rounds',
    events: [1, 2, 3].flatMap((revision) => [
      sent({ a: { outcome: 'existed', posted: { ...reversed, revision } } }),
      advanced('a', revision + 1),
    ]),
    actions: [...['send a1', 'advance a', 'send a2', 'advance a', 'send a3', 'advance a'], 'finish reversed-each-time'],
    outcomes: {},
  },
  {
    of: 'a doubt that ends in the last round is reported as such, not as a reversal',
    events: [sent({}), waited, lookedUp({}), waited, lookedUp({}), waited, lookedUp({}, 'a'), marked],
    actions: [
      ...['send a1', 'wait 800', 'look up a', 'wait 1600', 'look up a', 'wait 3200', 'look up a'],
      ...['mark uncertain  rejected a', 'finish absent-at-last'],
    ],
    outcomes: {},
  },
  {
    of: 'a reversal is recorded although the look-up of another group gets no response',
    keys: 'ab',
    events: [
      sent({ a: isReversed, b: unknown }),
      marked,
      waited,
      { event: 'not-looked-up', failure: NO_RESPONSE },
      advanced('a', 2),
    ],
    actions: ['send a1 b1', 'mark uncertain b rejected ', 'wait 800', 'look up b', 'advance a', 'finish with failure'],
    outcomes: {},
  },
];

describe('posting rounds', () => {
  it.each(CASES)('$of', ({ guarantee = PERMANENT_KEY, keys = 'a', events, actions, outcomes }) => {
    const played = play(guarantee, keys, events);
    expect(played.actions).toEqual(actions);
    expect(played.outcomes).toEqual(outcomes);
  });

  it('name the entry that a next revision replaces', () => {
    const { rounds } = play(PERMANENT_KEY, 'a', [sent({ a: isReversed }), advanced('a', 2)]);
    expect(rounds.replaced).toEqual(new Map([['a', 'journal-a']]));
  });
});

describe('under the policy not to repost what was reversed in the ERP', () => {
  const start = (): Rounds =>
    beginRounds(
      PERMANENT_KEY,
      ['a', 'b'].map((key) => ({ key, revision: 1, contentDigest: 'meant' })),
      'fail',
    );

  it('the reversed groups are marked, and nothing else', () => {
    const after = applyEvent(start(), sent({ a: isReversed, b: created }));
    expect(actionText(after)).toBe('finish without failure');
    expect([...after.outcomes]).toEqual([
      ['a', { outcome: 'reversed-in-erp', existing: reversed }],
      ['b', created],
    ]);
    expect(after.reversed.size).toBe(0);
  });

  it('the reversed groups that a look-up finds are marked too', () => {
    const events = [sent({ a: unknown, b: created }), marked, waited, lookedUp({ a: reversed }, 'a')];
    const after = events.reduce<Rounds>(applyEvent, start());
    expect(after.outcomes.get('a')).toEqual({ outcome: 'reversed-in-erp', existing: reversed });
  });
});

it('nothing is marked before anything is sent, and nothing needs manual review', () => {
  expect(play(PERMANENT_KEY, 'a', []).rounds.marks).toEqual({ uncertain: [], rejected: [] });
  expect(play(NOTHING, 'ab', [sent({ a: unknown, b: created }), marked]).rounds.open).toEqual([]);
});
