import { afterAll, beforeAll } from '@jest/globals';

type Startable = { stop(): Promise<void> } | { close(): Promise<void> };

/**
 * Starts something before the tests of a file, or of a `describe`, and stops it after them.
 * @returns stands for what was started, from the first test or later hook on
 */
export function startedOnce<Started extends Startable>(start: () => Promise<Started>): Started {
  let started: Started | undefined;
  const current = (): Started => {
    if (started === undefined) {
      throw new Error('not started yet: it is there from the first test or later hook on');
    }
    return started;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    // Undefined when starting failed: that failure is the one to be read.
    await (started === undefined ? undefined : 'stop' in started ? started.stop() : started.close());
  });
  return new Proxy({} as Started, {
    get(_target, name) {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? (value.bind(current()) as unknown) : value;
    },
    set: (_target, name, value) => Reflect.set(current(), name, value),
    has: (_target, name) => Reflect.has(current(), name),
  });
}
