// What may become of a request that is under way, and what its worker makes of it.
import { applyEvent, type RoundEvent } from '../../src/connector/exports/domain/posting-rounds.js';
import type { PostingGuarantee } from '../../src/connector/erp/domain/posting-guarantee.js';
import {
  arrive,
  knownUnderKey,
  moved,
  type Flight,
  type Posted,
  type Rounds,
  type Worker,
  type World,
} from './world.js';

export const KEY = 'entry';

export interface Step {
  readonly name: string;
  readonly world: World;
}

/** What the model lets the connector do otherwise than it does, to see that the model would notice. */
export interface Rules {
  readonly guarantee: PostingGuarantee;
  readonly isFenced: boolean;
  readonly asksBeforeSending: boolean;
  readonly writesIntents: boolean;
  readonly believesSearch: boolean;
  /** Requests at the same time; without a bound there were worlds without end. */
  readonly mostUnderWay: number;
}

export type Event = RoundEvent<FoundGroup, object>;
type FoundGroup = Rounds['reversed'] extends ReadonlyMap<string, infer P> ? P : never;

/** What may become of a request that is under way. */
export function flightSteps(world: World, flight: Flight, { guarantee }: Rules): readonly Step[] {
  const gone = { ...world, flights: world.flights.filter((each) => each !== flight) };
  const there = arrive(gone, flight, guarantee);
  const { worker } = flight;
  if (worker === undefined) {
    return [
      { name: `a late ${flight.kind} arrives`, world: there },
      { name: `a late ${flight.kind} is lost`, world: gone },
    ];
  }
  const forgotten = { ...world, flights: [...gone.flights, { ...flight, worker: undefined }] };
  const answered = (name: string, before: World, answer: Answer) => ({
    name: `${flight.kind} ${name}`,
    world: moved(before, worker, withAnswer(before.workers[worker], answer)),
  });
  return [
    answered('succeeds', there, { known: knownUnderKey(gone, flight.revision, guarantee), flight }),
    answered('arrives, its response is lost', there, 'unknown'),
    answered('is lost', gone, 'unknown'),
    answered('never leaves', gone, 'not-sent'),
    answered('takes too long', forgotten, 'unknown'),
  ];
}

type Answer = 'unknown' | 'not-sent' | { readonly known: Posted | undefined; readonly flight: Flight };

function withAnswer(worker: Worker, answer: Answer): Worker {
  if (worker.at === 'awaiting-reversal') {
    return { at: typeof answer === 'string' ? 'idle' : 'recording-reversal' };
  }
  if (worker.at !== 'awaiting') {
    throw new Error('nobody waits for it');
  }
  if (typeof answer === 'string') {
    return next(worker.rounds, { event: 'sent', outcomes: new Map([[KEY, { outcome: answer, failure: {} }]]) });
  }
  const { known, flight } = answer;
  const outcome =
    known === undefined
      ? ({ outcome: 'created', posted: foundGroup({ ...flight, reversed: false }) } as const)
      : known.content === flight.content
        ? ({ outcome: 'existed', posted: foundGroup(known) } as const)
        : ({ outcome: 'conflict', existing: foundGroup(known), existingContent: [] } as const);
  return next(worker.rounds, { event: 'sent', outcomes: new Map([[KEY, outcome]]) });
}

export function next(rounds: Rounds, event: Event): Worker {
  return { at: 'posting', rounds: applyEvent(rounds, event) };
}

export function foundGroup({ revision, content, reversed }: Omit<Posted, 'age'>): FoundGroup {
  return { key: KEY, revision, contentDigest: content, reversed };
}
