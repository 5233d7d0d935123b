import { afterAll, beforeAll } from '@jest/globals';

type Startable =
  { stop(): Promise<void> } | { close(): Promise<void> } | { end(): Promise<void> } | { drop(): Promise<void> };

/** What was begun to be started and is not stopped yet, in this order; undefined where starting failed. */
const stack: Promise<Startable | undefined>[] = [];

/**
 * Starts something before the tests of a file, or of a `describe`, and stops it after them: the last started first.
 * @param limitMs for the start and for the stop, where the usual limit of a test is too short
 * @returns stands for what was started, from the first test or later hook on
 */
export function startedOnce<Started extends Startable>(start: () => Promise<Started>, limitMs?: number): Started {
  let started: Started | undefined;
  const current = (): Started => {
    if (started === undefined) {
      throw new Error('not started yet: it is there from the first test or later hook on');
    }
    return started;
  };
  beforeAll(async () => {
    const starting = (async () => start())();
    stack.push(starting.catch(() => undefined));
    started = await starting;
  }, limitMs);
  // A start that took longer than its limit goes on, and what it starts is stopped, too.
  afterAll(async () => stop(await stack.pop()), limitMs);
  return new Proxy({} as Started, {
    get(_target, name) {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? (value.bind(current()) as unknown) : value;
    },
    set: (_target, name, value) => Reflect.set(current(), name, value),
    has: (_target, name) => Reflect.has(current(), name),
  });
}

async function stop(started: Startable | undefined): Promise<void> {
  if (started === undefined) {
    return;
  }
  if ('stop' in started) {
    await started.stop();
  } else if ('close' in started) {
    await started.close();
  } else {
    await ('end' in started ? started.end() : started.drop());
  }
}
