// Every world that can be reached, each looked at once.
import { hash } from 'node:crypto';
import type { Rules } from './flights.js';
import { stepsFrom } from './steps.js';
import { beginning, newest, openJob, Violation, type Content, type World } from './world.js';

export interface Exploration {
  readonly worlds: number;
  readonly steps: number;
  /** All worlds were looked at; otherwise the limit came first, and nothing is said of ways to a verdict. */
  readonly isComplete: boolean;
  /** What went wrong, and the way there; undefined: nothing does. */
  readonly violation: { readonly what: string; readonly trace: readonly string[] } | undefined;
}

interface Reached {
  readonly world: World;
  readonly from: number;
  readonly by: string;
  readonly before: number[];
}

/**
 * Breadth first, so that a trace is a shortest one.
 * @param limit of worlds
 */
export function explore(contents: readonly Content[], rules: Rules, limit = 300_000): Exploration {
  const first = beginning(contents);
  const reached: Reached[] = [{ world: first, from: -1, by: 'at first', before: [] }];
  const indexes = new Map([[keyOf(first), 0]]);
  let steps = 0;
  const traceTo = (index: number): readonly string[] => {
    const at = reached[index];
    return at === undefined ? [] : [...traceTo(at.from), at.by];
  };
  const failed = (what: string, index: number, last?: string): Exploration => ({
    worlds: reached.length,
    steps,
    isComplete: false,
    violation: { what, trace: [...traceTo(index), ...(last === undefined ? [] : [last])] },
  });
  for (let index = 0; index < reached.length; index += 1) {
    const { world } = reached[index] ?? { world: first };
    const wrong = wrongIn(world);
    if (wrong !== undefined) {
      return failed(wrong, index);
    }
    try {
      for (const step of stepsFrom(world, rules)) {
        steps += 1;
        const key = keyOf(step.world);
        const known = indexes.get(key);
        if (known === undefined) {
          indexes.set(key, reached.length);
          reached.push({ world: step.world, from: index, by: step.name, before: [index] });
        } else {
          reached[known]?.before.push(index);
        }
      }
    } catch (error) {
      if (error instanceof Violation) {
        return failed(error.message, index, 'refused by the schema');
      }
      throw error;
    }
    if (reached.length >= limit) {
      return { worlds: reached.length, steps, isComplete: false, violation: undefined };
    }
  }
  const stuck = withoutWayTo(reached, (world) => isSettled(world, rules));
  return stuck === undefined
    ? { worlds: reached.length, steps, isComplete: true, violation: undefined }
    : failed('there is no way to a verdict', stuck);
}

/** What must be true of every world. */
function wrongIn({ books, jobs, intents }: World): string | undefined {
  const standing = books.filter(({ reversed }) => !reversed);
  if (standing.length > 1) {
    return 'the entry is in the books twice';
  }
  const ended = jobs.filter(({ result }) => result !== 'pending');
  const last = ended.at(-1);
  const record = intents.at(-1);
  const isUntouched = (record?.job ?? 0) < ended.length && record?.sinceReversal === undefined;
  if (last === undefined || !isUntouched) {
    return undefined;
  }
  const isThere = standing[0]?.content === last.content;
  if (last.result === 'successful' && !isThere) {
    return 'reported as exported, and not in the books';
  }
  return last.result === 'failed' && isThere ? 'reported as failed, and in the books' : undefined;
}

/** Every job has its verdict, and nothing is unsure that the ERP can be asked for. */
function isSettled(world: World, { guarantee }: Rules): boolean {
  const state = newest(world)?.state;
  const isSure = guarantee.level === 'none' || (state !== 'sent' && state !== 'uncertain');
  return openJob(world) === undefined && isSure && world.flights.length === 0;
}

/** @returns a world from which none of these can be reached */
function withoutWayTo(reached: readonly Reached[], isGoal: (world: World) => boolean): number | undefined {
  const good = reached.map(({ world }) => isGoal(world));
  const queue = good.flatMap((isGood, index) => (isGood ? [index] : []));
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    for (const before of reached[index]?.before ?? []) {
      if (good[before] === false) {
        good[before] = true;
        queue.push(before);
      }
    }
  }
  const stuck = good.indexOf(false);
  return stuck === -1 ? undefined : stuck;
}

/** Two worlds in which the workers have changed places are one. */
function keyOf({ workers, owner, flights, jobs, intents, books }: World): string {
  const [first, second] = workers.map((worker) => textOf(worker));
  const isTurned = (first ?? '') > (second ?? '');
  const turned = (id: 0 | 1 | undefined) => (id === undefined || !isTurned ? id : 1 - id);
  const parts = isTurned ? [second, first] : [first, second];
  const sent = flights.map(({ worker, ...flight }) => `${JSON.stringify(flight)}${turned(worker) ?? ''}`).toSorted();
  const rest = [jobs, intents, books].map((part) => textOf(part));
  return hash('sha1', [...parts, turned(owner), ...sent, ...rest].join('|'), 'base64');
}

/** A step leaves most of a world as it is: what has not changed is not written down again. */
const texts = new WeakMap<object, string>();

function textOf(part: object): string {
  const known = texts.get(part);
  if (known !== undefined) {
    return known;
  }
  const text = JSON.stringify(part, (_, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
  texts.set(part, text);
  return text;
}
