// Lets one stage of a pipeline work on while the next one is busy.

/** One stage of a pipeline. */
export type Stage<T> = AsyncGenerator<T, void, undefined>;

/**
 * Reads a source while the consumer is busy with what it has, and hands over all that has come meanwhile. The source is
 * read in order, by one call at a time; its error comes after what came before it, once. A consumer that leaves early
 * ends the source.
 * @param ahead most elements that are being read or waiting for the consumer; 0: each one is read when it is needed
 * @param signal ends the wait for the next element with its reason, and the call to the source under way is left to
 *   itself: for a source that only reads. Without it that call is waited for.
 * @returns batches of at least one element
 */
export async function* readAhead<T>(
  source: AsyncIterable<T>,
  ahead: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[], void, undefined> {
  const reader = new Reader(source[Symbol.asyncIterator](), ahead);
  try {
    for (;;) {
      const batch = await reader.next(signal);
      if (batch.length === 0) {
        return;
      }
      yield batch;
    }
  } finally {
    const closed = reader.close();
    if (signal === undefined) {
      await closed;
    }
  }
}

/** The elements of batches, one by one. */
export async function* oneByOne<T>(batches: Stage<readonly T[]>): Stage<T> {
  for await (const batch of batches) {
    yield* batch;
  }
}

/**
 * Elements of several batches as one, at least `least` of them: what costs the same for few as for many is done for many. The first batch
 * and the last ones are as they come, and what came before an error of the source comes before that error.
 */
export async function* together<T>(batches: Stage<readonly T[]>, least: number): Stage<readonly T[]> {
  let waiting: T[] = [];
  let wanted = 1;
  try {
    for await (const batch of batches) {
      waiting.push(...batch);
      if (waiting.length >= wanted) {
        yield waiting;
        waiting = [];
        wanted = least;
      }
    }
  } catch (error) {
    if (waiting.length > 0) {
      yield waiting;
    }
    throw error;
  }
  if (waiting.length > 0) {
    yield waiting;
  }
}

/** Runs a generator to its end for what it does on the way. */
export async function finish(generator: AsyncGenerator<unknown, void, undefined>): Promise<void> {
  while ((await generator.next()).done !== true) {
    // What it yields says only that it has come further.
  }
}

class Reader<T> {
  private readonly read: T[] = [];
  /** Settles, without error, when the call to the source under way has. */
  private reading: Promise<void> | undefined;
  /** The call with which the source has ended. */
  private last: Promise<unknown> | undefined;

  constructor(
    private readonly source: AsyncIterator<T>,
    private readonly ahead: number,
  ) {}

  /** @returns what has come, at least one element; none at the end */
  async next(signal: AbortSignal | undefined): Promise<readonly T[]> {
    this.fillBuffer(Math.max(this.ahead, 1));
    while (this.read.length === 0 && this.reading !== undefined) {
      await (signal === undefined ? this.reading : unlessAborted(this.reading, signal));
    }
    if (this.read.length === 0) {
      await this.last;
    }
    const batch = this.read.splice(0);
    this.fillBuffer(this.ahead);
    return batch;
  }

  /** Resolves when the call under way is over and the source has cleaned up. */
  async close(): Promise<void> {
    this.last ??= Promise.resolve();
    // An error of a source that is left concerns no consumer.
    await this.source.return?.().catch(() => undefined);
  }

  private fillBuffer(most: number): void {
    if (this.reading !== undefined || this.last !== undefined || this.read.length >= most) {
      return;
    }
    const call = this.source.next();
    this.reading = call
      .then(
        (result) => {
          if (result.done === true) {
            this.last ??= call;
          } else {
            this.read.push(result.value);
          }
        },
        () => {
          this.last ??= call;
        },
      )
      .then(() => {
        this.reading = undefined;
        this.fillBuffer(this.ahead);
      });
  }
}

/** @throws the signal's reason as soon as it fires */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stopWaiting: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    stopWaiting = resolve;
    signal.addEventListener('abort', stopWaiting, { once: true });
  });
  await Promise.race([work, aborted]);
  signal.removeEventListener('abort', stopWaiting ?? (() => undefined));
  signal.throwIfAborted();
}
