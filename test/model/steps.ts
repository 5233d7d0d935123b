// Everything that can happen next in a world. What the connector decides is decided by its own pure functions.
import { beginRounds, nextAction } from '../../src/connector/exports/domain/posting-rounds.js';
import { intentStatesBefore, type IntentState } from '../../src/connector/exports/domain/intent-states.js';
import { findingOf, isInDoubt, isCertainlyShown } from '../../src/connector/exports/domain/look-up-finding.js';
import { decideAfterUnknown } from '../../src/connector/exports/domain/unknown-outcome.js';
import { flightSteps, foundGroup, KEY, next, type Event, type Rules, type Step } from './flights.js';
import {
  afterTick,
  isOverdue,
  moved,
  newest,
  newestOf,
  openJob,
  searched,
  stopped,
  Violation,
  withJob,
  withNewest,
  withState,
  type Flight,
  type Intent,
  type Posted,
  type Rounds,
  type Worker,
  type World,
} from './world.js';

export function stepsFrom(world: World, rules: Rules): readonly Step[] {
  const job = openJob(world);
  const tick = afterTick(world, rules.guarantee);
  return [
    ...(tick === undefined ? [] : [{ name: 'time passes', world: tick }]),
    ...(job === undefined || world.jobs[job]?.isOverdue === true
      ? []
      : [{ name: 'the hour is nearly over', world: withJob(world, job, { isOverdue: true }) }]),
    ...([0, 1] as const).flatMap((worker) => workerSteps(world, worker, rules)),
    ...world.flights.flatMap((flight) => flightSteps(world, flight, rules)),
  ];
}

function workerSteps(world: World, id: 0 | 1, rules: Rules): readonly Step[] {
  const worker = world.workers[id];
  const named = (name: string, worlds: readonly World[]) =>
    worlds.map((next) => ({ name: `worker ${id.toString()} ${name}`, world: next }));
  if (worker.at === 'idle') {
    return hasWork(world) ? named('takes the company', [moved({ ...world, owner: id }, id, { at: 'loading' })]) : [];
  }
  return [...named(worker.at, moves(world, id, worker, rules)), ...named('dies', [stopped(world, id)])];
}

function hasWork(world: World): boolean {
  const state = newest(world)?.state;
  return openJob(world) !== undefined || state === 'sent' || state === 'uncertain';
}

/** @returns the worlds after what the worker does next, of which one comes true */
function moves(world: World, id: 0 | 1, worker: Worker, rules: Rules): readonly World[] {
  const to = (next: Worker, before = world) => moved(before, id, next);
  switch (worker.at) {
    case 'idle':
      return [];
    case 'loading':
      return load(world, id, rules);
    case 'looking-up':
      return [
        ...searched(world, rules.guarantee).map((shown) => to({ at: 'settling', record: worker.record, shown })),
        withoutAnswer(world, id, worker.record, rules),
      ];
    case 'settling':
      return fenced(world, id, rules, () => settle(world, id, worker, rules));
    case 'reversing':
      return fenced(world, id, rules, () => {
        const standing = importPosted(newestOf(world), worker.standing);
        return to({ at: 'sending-reversal' }, withNewest(world, { ...standing, sinceReversal: 0 }));
      });
    case 'sending-reversal':
      return dispatch(world, id, 'reverse', { at: 'awaiting-reversal' }, rules);
    case 'recording-reversal':
      return fenced(world, id, rules, () => {
        const reversed = withState(newestOf(world), 'reversed');
        return post(withNewest(world, reversed), id, reversed.revision + 1, rules);
      });
    case 'posting':
      return postingMoves(world, id, worker.rounds, rules);
    case 'dispatching':
      return dispatch(world, id, 'post', { at: 'awaiting', rounds: worker.rounds }, rules);
    case 'asking': {
      const { rounds } = worker;
      const conclusive = new Set(worker.conclusive || rules.believesSearch ? [KEY] : []);
      const answers = searched(world, rules.guarantee).map((shown) => new Map(shown && [[KEY, foundGroup(shown)]]));
      return [
        ...answers.map((found) => to(next(rounds, { event: 'looked-up', found, conclusive }))),
        to(next(rounds, { event: 'not-looked-up', failure: {} })),
      ];
    }
    case 'reporting':
      return fenced(world, id, rules, () => report(world, id, worker));
    case 'awaiting':
    case 'awaiting-reversal':
      return [];
  }
}

/** What our record says, or what has to be asked. */
function load(world: World, id: 0 | 1, rules: Rules): readonly World[] {
  const record = newest(world);
  const job = openJob(world);
  if (record === undefined) {
    return [isOverdue(world) ? moved(world, id, { at: 'reporting', result: 'failed' }) : post(world, id, 1, rules)];
  }
  const recorded = recordOf(record);
  const isUnsure = rules.asksBeforeSending && isInDoubt(recorded, rules.guarantee, isOverdue(world));
  if (isUnsure && rules.guarantee.level === 'none') {
    return fenced(world, id, rules, () => {
      const doubted = record.state === 'sent' ? withNewest(world, withState(record, 'uncertain')) : world;
      return job === undefined ? stopped(doubted, id) : moved(doubted, id, { at: 'reporting', result: 'in-doubt' });
    });
  }
  const isEarlier =
    record.job !== job && isCertainlyShown(recorded, rules.guarantee) && rules.guarantee.level !== 'none';
  if (isUnsure || (isEarlier && !isOverdue(world))) {
    return [moved(world, id, { at: 'looking-up', record })];
  }
  return [plan(world, id, record, rules)];
}

/** The ERP did not answer: there is time to try again, or only our record is left. */
function withoutAnswer(world: World, id: 0 | 1, record: Intent, rules: Rules): World {
  if (!isOverdue(world)) {
    return stopped(world, id);
  }
  const isUnsure = isInDoubt(recordOf(record), rules.guarantee, true);
  return moved(world, id, isUnsure ? { at: 'reporting', result: 'in-doubt' } : resultFromRecord(world, record));
}

function settle(
  world: World,
  id: 0 | 1,
  { record, shown }: Extract<Worker, { readonly at: 'settling' }>,
  rules: Rules,
): World {
  const isEarlier = record.job !== openJob(world) && isCertainlyShown(recordOf(record), rules.guarantee);
  const finding = findingOf(
    recordOf(record),
    shown,
    { isEarlier, isRefused: false, isLast: isOverdue(world) },
    rules.guarantee,
  );
  const mark = (state: IntentState) =>
    intentStatesBefore(state).includes(record.state) ? { ...record, state } : record;
  const inDoubt = isOverdue(world) ? ({ at: 'reporting', result: 'in-doubt' } as const) : undefined;
  switch (finding) {
    case 'lost':
      throw new Violation('what was surely shown is not found');
    case 'reversal-not-shown-yet':
      return inDoubt ? moved(world, id, inDoubt) : stopped(world, id);
    case 'not-shown-yet': {
      const doubted = withNewest(world, mark('uncertain'));
      return inDoubt ? moved(doubted, id, inDoubt) : stopped(doubted, id);
    }
    case 'absent':
      return plan(withNewest(world, mark('rejected')), id, mark('rejected'), rules);
    case 'reversed': {
      const reversed = { ...importPosted(record, shown ?? record), state: 'reversed' } as const;
      return plan(withNewest(world, reversed), id, reversed, rules);
    }
    case 'standing': {
      const standing = importPosted(record, shown ?? record);
      return plan(withNewest(world, standing), id, standing, rules);
    }
  }
}

/** What follows from a record that is sure. */
function plan(world: World, id: 0 | 1, record: Intent, rules: Rules): World {
  const job = openJob(world);
  const content = job === undefined ? undefined : world.jobs[job]?.content;
  if (content === undefined) {
    return stopped(world, id);
  }
  if (isOverdue(world)) {
    return moved(world, id, resultFromRecord(world, record));
  }
  switch (record.state) {
    case 'posted':
      if (record.content === content) {
        return moved(world, id, { at: 'reporting', result: 'successful' });
      }
      return rules.guarantee.level === 'none'
        ? moved(world, id, { at: 'reporting', result: 'in-doubt' })
        : moved(world, id, { at: 'reversing', standing: { ...record, reversed: false, age: record.sinceLast } });
    case 'reversed':
      return post(world, id, record.revision + 1, rules);
    case 'sent':
    case 'uncertain':
    case 'rejected':
      return post(world, id, record.revision, rules);
  }
}

/** What stands with other content, or of another job, is named in the failure: it claims nothing that is wrong. */
function resultFromRecord(world: World, record: Intent): Worker {
  const job = openJob(world);
  if (record.state !== 'posted') {
    return { at: 'reporting', result: 'failed' };
  }
  return { at: 'reporting', result: record.job === job ? 'successful' : 'in-doubt' };
}

function post(world: World, id: 0 | 1, revision: number, { guarantee }: Rules): World {
  const contentDigest = world.jobs[openJob(world) ?? -1]?.content ?? '';
  return moved(world, id, { at: 'posting', rounds: beginRounds(guarantee, [{ key: KEY, revision, contentDigest }]) });
}

/** An action of the rounds. */
function postingMoves(world: World, id: 0 | 1, rounds: Rounds, rules: Rules): readonly World[] {
  const after = (event: Event, before = world) => moved(before, id, next(rounds, event));
  const action = nextAction(rounds);
  switch (action.action) {
    case 'send':
      return fenced(world, id, rules, () => {
        const written = rules.writesIntents ? recordSending(world, action.requests[0]?.[0]?.revision ?? 0) : world;
        return written === undefined
          ? after({ event: 'sent', outcomes: new Map() })
          : moved(written, id, { at: 'dispatching', rounds });
      });
    case 'mark':
      return fenced(world, id, rules, () => {
        const state = action.uncertain.length > 0 ? 'uncertain' : 'rejected';
        const record = newestOf(world);
        const isOpen = intentStatesBefore(state).includes(record.state);
        return after({ event: 'marked' }, isOpen ? withNewest(world, withState(record, state)) : world);
      });
    case 'wait':
      return [after({ event: 'waited' }), after({ event: 'stopped' })];
    case 'look-up': {
      const age = recordOf(newestOf(world)).age;
      const conclusive = decideAfterUnknown(rules.guarantee, age) !== 'look-up-until';
      return [moved(world, id, { at: 'asking', rounds, conclusive })];
    }
    case 'advance-revisions':
      return fenced(world, id, rules, () => {
        const record = newestOf(world);
        const found = action.reversed.get(KEY);
        const reversed = withState(importPosted(record, { content: found?.contentDigest as 'a' }), 'reversed');
        const revisions = new Map([[KEY, record.revision + 1]]);
        return after({ event: 'revisions-advanced', revisions, replaced: new Map() }, withNewest(world, reversed));
      });
    case 'finish':
      return [finish(world, id, rounds)];
  }
}

function finish(world: World, id: 0 | 1, rounds: Rounds): World {
  const outcome = rounds.outcomes.get(KEY);
  switch (outcome?.outcome) {
    case 'created':
    case 'existed':
      return moved(world, id, { at: 'reporting', result: 'successful', posted: true });
    case 'refused':
    case 'fails-alone':
      return moved(world, id, { at: 'reporting', result: 'failed', posted: false });
    case 'conflict': {
      const { revision, contentDigest } = outcome.existing;
      return moved(world, id, {
        at: 'reversing',
        standing: { revision, content: contentDigest as 'a', reversed: false, age: 0 },
      });
    }
    case 'needs-manual-review':
      return moved(world, id, { at: 'reporting', result: 'in-doubt' });
    case 'reversed-in-erp':
    case undefined:
      return stopped(world, id);
  }
}

/** @returns undefined when the intent may not be written: it may be in the books */
function recordSending(world: World, revision: number): World | undefined {
  const job = openJob(world) ?? -1;
  const content = world.jobs[job]?.content ?? 'a';
  const record = newest(world);
  const fresh = { revision, content, job, sinceLast: 0, sinceReversal: undefined } as const;
  if (record === undefined || record.revision < revision) {
    if (record !== undefined && record.state !== 'reversed') {
      throw new Violation('a second revision while the first may stand');
    }
    return { ...world, intents: [...world.intents, { ...fresh, state: 'sent', sinceFirst: 0 }] };
  }
  if (record.state === 'sent' || record.state === 'uncertain') {
    return undefined;
  }
  return withNewest(world, { ...withState(record, 'sent'), ...fresh, sinceFirst: record.sinceFirst });
}

function report(world: World, id: 0 | 1, { result, posted }: Extract<Worker, { readonly at: 'reporting' }>): World {
  const job = openJob(world);
  const record = newest(world);
  const isOpen = record !== undefined && record.state !== 'posted' && record.state !== 'reversed';
  const outcome = posted === undefined || !isOpen ? undefined : posted ? 'posted' : 'rejected';
  const written = outcome && record && record.state !== outcome ? withNewest(world, withState(record, outcome)) : world;
  return stopped(job === undefined ? written : withJob(written, job, { result }), id);
}

/** A request leaves while its worker surely owns the company, or never. */
function dispatch(
  world: World,
  id: 0 | 1,
  kind: Flight['kind'],
  then: Worker,
  { mostUnderWay }: Rules,
): readonly World[] {
  const { revision, content, sinceLast, sinceReversal } = newest(world) ?? { revision: 1, content: 'a', sinceLast: 0 };
  const age = kind === 'post' ? sinceLast : (sinceReversal ?? 0);
  if (world.flights.length >= mostUnderWay) {
    return [];
  }
  if (world.owner !== id) {
    return [stopped(world, id)];
  }
  const flights = [...world.flights, { kind, revision, content, age, worker: id }];
  return [moved({ ...world, flights }, id, then)];
}

function recordOf({ state, revision, sinceFirst, sinceLast, sinceReversal }: Intent) {
  const age = { sinceFirstMs: sinceFirst, sinceLastMs: sinceLast };
  return { state, revision, age, sinceReversalMs: sinceReversal, missingInErp: false };
}

/** Our record says what the ERP was found to have. */
function importPosted(record: Intent, { content }: Pick<Posted, 'content'>): Intent {
  return record.state === 'posted' || record.state === 'reversed'
    ? record
    : { ...withState(record, 'posted'), content };
}

function fenced(world: World, id: 0 | 1, { isFenced }: Rules, work: () => World): readonly World[] {
  return [isFenced && world.owner !== id ? stopped(world, id) : work()];
}
