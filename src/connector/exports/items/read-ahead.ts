// Lets a stage of a pipeline continue while the next one is busy.

/** One stage of a pipeline. */
export type Stage<T> = AsyncGenerator<T, void, undefined>;

/**
 * Reads a source while the consumer is busy, and yields everything read in the meantime as one batch. The source is read in
 * order, one call at a time; its error follows the elements before it. A consumer that leaves early ends the source.
 * @param ahead maximum of elements being read or waiting for the consumer; 0: each is read when it is needed
 * @param signal ends the wait for the next element with its reason and abandons the running call, which must only read. Without
 *   it, that call is awaited.
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
export async function* flatten<T>(batches: Stage<readonly T[]>): Stage<T> {
  for await (const batch of batches) {
    yield* batch;
  }
}

/**
 * Merges batches until they have at least `minimum` elements, for work that costs the same for few as for many. The first batch is
 * passed on as it is, and elements before an error of the source are yielded before that error.
 */
export async function* mergeBatches<T>(batches: Stage<readonly T[]>, minimum: number): Stage<readonly T[]> {
  let waiting: T[] = [];
  let wanted = 1;
  try {
    for await (const batch of batches) {
      waiting.push(...batch);
      if (waiting.length >= wanted) {
        yield waiting;
        waiting = [];
        wanted = minimum;
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

/** Runs a generator to its end for its side effects. */
export async function runToEnd(generator: AsyncGenerator<unknown, void, undefined>): Promise<void> {
  while ((await generator.next()).done !== true) {
    // What it yields only marks progress.
  }
}

class Reader<T> {
  private readonly read: T[] = [];
  /** Resolves when the running call to the source has settled. */
  private reading: Promise<void> | undefined;
  /** The call that ended the source, by its end or an error. */
  private last: Promise<unknown> | undefined;

  constructor(
    private readonly source: AsyncIterator<T>,
    private readonly ahead: number,
  ) {}

  /** @returns the elements read so far, at least one; none at the end */
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

  /** Resolves when the running call has ended and the source has cleaned up. */
  async close(): Promise<void> {
    this.last ??= Promise.resolve();
    // No consumer is left for an error of the source.
    await this.source.return?.().catch(() => undefined);
  }

  private fillBuffer(capacity: number): void {
    if (this.reading !== undefined || this.last !== undefined || this.read.length >= capacity) {
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
export async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
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
