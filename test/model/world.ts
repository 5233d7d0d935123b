// A small world for the protocol of posting: one accounting entry, the database's record of it, an ERP, requests under way, and
// two workers of which one owns the company. Time passes in ticks; ages stop to grow where more of them changes nothing.
import { INTENT_TRANSITIONS, type IntentState } from '../../src/connector/exports/domain/intent-states.js';
import type { RoundGroup, PostingRounds } from '../../src/connector/exports/domain/posting-rounds.js';
import type { PostingGuarantee } from '../../src/connector/erp/domain/posting-guarantee.js';

export type Content = 'a' | 'b';

// A tick is longer than a worker's lease: one that owns the company and does nothing for as long has lost it.
/** Longest time that a request is under way. */
const REQUEST_TICKS = 1;
/** What a search may miss at most: a request that took long, and was shown late. */
const LAG_TICKS = REQUEST_TICKS + 1;
const UNDER_WAY_TICKS = REQUEST_TICKS + 1;
const KEY_TICKS = UNDER_WAY_TICKS + 1;
/** The ERP's own life of a key is longer than what the adapter declares, by the longest request. */
const ERP_KEY_TICKS = KEY_TICKS + REQUEST_TICKS;

export const GUARANTEES: readonly PostingGuarantee[] = [
  { level: 'permanent-key', underWayMs: UNDER_WAY_TICKS },
  { level: 'expiring-key', keyLifeMs: KEY_TICKS, underWayMs: UNDER_WAY_TICKS },
  { level: 'searchable-reference', searchLagMs: LAG_TICKS },
  { level: 'none' },
];

/** Ages are ticks. */
export interface Intent {
  readonly revision: number;
  readonly content: Content;
  readonly state: IntentState;
  readonly job: number;
  readonly sinceFirst: number;
  readonly sinceLast: number;
  readonly sinceReversal: number | undefined;
}

/** What the ERP has in its books. */
export interface Posted {
  readonly revision: number;
  readonly content: Content;
  readonly reversed: boolean;
  /** Since the request that made it, or reversed it, was recorded. */
  readonly age: number;
}

export interface Flight {
  readonly kind: 'post' | 'reverse';
  readonly revision: number;
  readonly content: Content;
  readonly age: number;
  /** The worker that waits for its response; undefined: none any more. */
  readonly worker: 0 | 1 | undefined;
}

/** `in-doubt`: failed, and said to be perhaps in the books all the same. */
export type Result = 'pending' | 'successful' | 'failed' | 'in-doubt';

export interface Job {
  readonly content: Content;
  readonly result: Result;
  readonly isOverdue: boolean;
}

export type Rounds = PostingRounds<RoundGroup & { readonly reversed: boolean }, object>;

/** Where a worker is; each is between two effects on the world. */
export type Worker =
  | { readonly at: 'idle' | 'loading' }
  /** It knows how old the record was before it asks. */
  | { readonly at: 'looking-up'; readonly record: Intent }
  | { readonly at: 'settling'; readonly record: Intent; readonly shown: Posted | undefined }
  | { readonly at: 'reversing'; readonly standing: Posted }
  | { readonly at: 'sending-reversal' | 'awaiting-reversal' | 'recording-reversal' }
  | { readonly at: 'posting' | 'dispatching' | 'awaiting'; readonly rounds: Rounds }
  | { readonly at: 'asking'; readonly rounds: Rounds; readonly conclusive: boolean }
  | { readonly at: 'reporting'; readonly result: Exclude<Result, 'pending'>; readonly posted?: boolean };

export interface World {
  readonly jobs: readonly Job[];
  /** By revision. */
  readonly intents: readonly Intent[];
  readonly books: readonly Posted[];
  readonly flights: readonly Flight[];
  readonly workers: readonly [Worker, Worker];
  readonly owner: 0 | 1 | undefined;
}

export class Violation extends Error {}

export function beginning(contents: readonly Content[]): World {
  return {
    jobs: contents.map((content) => ({ content, result: 'pending', isOverdue: false })),
    intents: [],
    books: [],
    flights: [],
    workers: [{ at: 'idle' }, { at: 'idle' }],
    owner: undefined,
  };
}

/** @returns undefined while a request has to arrive or to be lost first */
export function afterTick(world: World, { level }: PostingGuarantee): World | undefined {
  if (world.flights.some(({ age }) => age >= REQUEST_TICKS)) {
    return undefined;
  }
  // No age grows beyond what makes a difference, so that there are only so many worlds.
  const oldest = level === 'none' ? 0 : LAG_TICKS;
  const older = (age: number, most = oldest) => Math.min(age + 1, most);
  const keyAge = level === 'expiring-key' ? ERP_KEY_TICKS + 1 : 0;
  const isWaiting = world.owner !== undefined && world.workers[world.owner].at.startsWith('awaiting');
  return {
    ...world,
    owner: isWaiting ? world.owner : undefined,
    intents: world.intents.map((intent) => ({
      ...intent,
      sinceFirst: older(intent.sinceFirst, Math.min(keyAge, KEY_TICKS)),
      sinceLast: older(intent.sinceLast),
      sinceReversal: intent.sinceReversal === undefined ? undefined : older(intent.sinceReversal),
    })),
    books: world.books.map((posted) => ({
      ...posted,
      age: older(posted.age, level === 'searchable-reference' ? LAG_TICKS : keyAge),
    })),
    flights: world.flights.map((flight) => ({ ...flight, age: flight.age + 1 })),
  };
}

/** The job that is worked on; undefined: all have ended. */
export function openJob(world: World): number | undefined {
  const index = world.jobs.findIndex(({ result }) => result === 'pending');
  return index === -1 ? undefined : index;
}

export function newest(world: World): Intent | undefined {
  return world.intents.at(-1);
}

/** @throws Violation when the schema would refuse it */
export function withState(intent: Intent, state: IntentState): Intent {
  if (!INTENT_TRANSITIONS[intent.state].includes(state)) {
    throw new Violation(`an intent that is ${intent.state} cannot become ${state}`);
  }
  return { ...intent, state };
}

/** What the ERP does with a request that arrives: the worst that its level allows. */
export function arrive(world: World, flight: Flight, guarantee: PostingGuarantee): World {
  const { revision, content, age } = flight;
  if (flight.kind === 'reverse') {
    const books = world.books.map((posted) =>
      posted.revision === revision && !posted.reversed ? { ...posted, reversed: true, age } : posted,
    );
    return { ...world, books };
  }
  const known = knownUnderKey(world, revision, guarantee);
  return known === undefined
    ? { ...world, books: [...world.books, { revision, content, reversed: false, age }] }
    : world;
}

/** What an idempotency key of a revision still names. */
export function knownUnderKey(world: World, revision: number, { level }: PostingGuarantee): Posted | undefined {
  const same = world.books.find((posted) => posted.revision === revision);
  switch (level) {
    case 'permanent-key':
      return same;
    case 'expiring-key':
      return same !== undefined && same.age <= ERP_KEY_TICKS ? same : undefined;
    case 'searchable-reference':
    case 'none':
      return undefined;
  }
}

/** @returns each answer that a search may give: one that lags may miss what is young, or show it as it was */
export function searched(world: World, { level }: PostingGuarantee): readonly (Posted | undefined)[] {
  const [last, before] = world.books.toSorted((one, other) => other.revision - one.revision);
  if (last === undefined || level !== 'searchable-reference' || last.age >= LAG_TICKS) {
    return [last];
  }
  return last.reversed ? [last, { ...last, reversed: false }] : [last, before];
}

export function newestOf(world: World): Intent {
  const record = newest(world);
  if (record === undefined) {
    throw new Violation('there is no record of what is in the books');
  }
  return record;
}

export function isOverdue(world: World): boolean {
  return world.jobs[openJob(world) ?? -1]?.isOverdue === true;
}

export function withJob(world: World, index: number, change: Partial<World['jobs'][number]>): World {
  return { ...world, jobs: world.jobs.map((job, at) => (at === index ? { ...job, ...change } : job)) };
}

export function withNewest(world: World, record: Intent): World {
  return { ...world, intents: [...world.intents.slice(0, -1), record] };
}

export function moved(world: World, id: 0 | 1, worker: Worker): World {
  const before = worker.at === 'idle' ? stopped(world, id) : world;
  const [first, second] = before.workers;
  return { ...before, workers: id === 0 ? [worker, second] : [first, worker] };
}

/** No worker waits for its requests any more, and the company is free. */
export function stopped(world: World, id: 0 | 1): World {
  const [first, second] = world.workers;
  return {
    ...world,
    workers: id === 0 ? [{ at: 'idle' }, second] : [first, { at: 'idle' }],
    owner: world.owner === id ? undefined : world.owner,
    flights: world.flights.map((flight) => (flight.worker === id ? { ...flight, worker: undefined } : flight)),
  };
}
