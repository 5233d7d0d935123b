/**
 * Waits for work that may never end; the work itself continues.
 * @param ms real time, since a caller waits
 * @returns what the work gives
 * @throws what the work throws, or Error when the time is over
 */
export async function withTimeout<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} did not end within ${ms.toString()} ms`));
    }, ms);
  });
  return Promise.race([work, limit]).finally(() => {
    clearTimeout(timer);
  });
}

/**
 * What work gives, if it gives it in time: for a person who waits. Work that is late continues, and what it throws then is
 * nobody's.
 * @param ms real time
 * @returns undefined when the time is over
 * @throws what the work throws in time
 */
export async function unlessLate<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  return Promise.race([work, limit]).finally(() => {
    clearTimeout(timer);
  });
}
