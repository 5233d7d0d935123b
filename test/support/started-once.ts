import { afterAll, beforeAll } from '@jest/globals';

/** What a spec starts for its tests. */
type Closable = { close(): unknown } | { stop(): unknown } | { drop(): unknown };

/**
 * The prelude of a spec: starts something before the first test of the file (or of the `describe` it stands in) and closes it
 * after the last one.
 * @returns what was started, for use inside tests and hooks
 * @throws Error when it is used before a test or hook runs
 */
export function startedOnce<T extends Closable>(start: () => Promise<T>): T {
  let started: T | undefined;
  const current = (): T => {
    if (started === undefined) {
      throw new Error('not started yet: use it inside a test or hook');
    }
    return started;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started !== undefined) {
      await close(started);
    }
  });
  return new Proxy({} as T, {
    get: (_, key) => {
      const value: unknown = Reflect.get(current(), key);
      return typeof value === 'function' ? (value.bind(current()) as unknown) : value;
    },
    set: (_, key, value) => Reflect.set(current(), key, value),
    has: (_, key) => Reflect.has(current(), key),
  });
}

async function close(started: Closable): Promise<void> {
  if ('close' in started) {
    await started.close();
  } else if ('stop' in started) {
    await started.stop();
  } else {
    await started.drop();
  }
}
