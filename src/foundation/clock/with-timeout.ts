/**
 * Waits for work that may never end; the work itself continues.
 * @param ms real time, since a caller waits
 * @returns what the work gives
 * @throws what the work throws, or Error when the time is over
 */
export async function withTimeout<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  return within(ms, work, () => {
    throw new Error(`${what} did not end within ${ms.toString()} ms`);
  });
}

/**
 * What work gives, if it gives it in time: for a person who waits. Work that is late continues; an error that it throws then is
 * ignored.
 * @param ms real time
 * @returns undefined when the time is over
 * @throws what the work throws in time
 */
export async function unlessLate<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  return within(ms, work, () => undefined);
}

async function within<T, Late>(ms: number, work: Promise<T>, whenLate: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, limit.then(whenLate)]).finally(() => {
    clearTimeout(timer);
  });
}
