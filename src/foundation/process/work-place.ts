// Work that takes up one of few places of a worker leaves it while it only waits for another system: places are for what
// keeps the processor busy, and one system that does not respond must not hold those of the others.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds of waiting after which a place is left. */
const WAITS_LONG_MS = 1_000;

const current = new AsyncLocalStorage<WorkPlace>();

export class WorkPlace {
  private readonly leaving = Promise.withResolvers<undefined>();
  private isLeft = false;

  /** @param mayLeave whether there is room for work without a place */
  constructor(private readonly mayLeave: () => boolean) {}

  /** Resolves when the work has left the place, and goes on without it. */
  get left(): Promise<undefined> {
    return this.leaving.promise;
  }

  async occupy<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work);
  }

  leave(): void {
    if (!this.isLeft && this.mayLeave()) {
      this.isLeft = true;
      this.leaving.resolve(undefined);
    }
  }
}

/** Waits for another system; work that waits for long goes on without its place. */
export async function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  const place = current.getStore();
  if (place === undefined) {
    return wait();
  }
  const timer = setTimeout(() => {
    place.leave();
  }, WAITS_LONG_MS);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
  }
}
