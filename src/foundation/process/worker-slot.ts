// Work leaves its worker slot while it only waits for another system: the few slots of a worker are for work that
// keeps the processor busy, and one system that does not respond must not hold those of the others.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds of waiting after which a slot is left. */
const WAITS_LONG_MS = 1_000;

const current = new AsyncLocalStorage<WorkerSlot>();

export class WorkerSlot {
  private readonly leaving = Promise.withResolvers<undefined>();
  private isLeft = false;

  /** @param mayLeave whether there is room for work without a slot */
  constructor(private readonly mayLeave: () => boolean) {}

  /** Resolves when the work has left the slot, and goes on without it. */
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

/** Waits for another system; work that waits for long goes on without its slot. */
export async function waitWithoutSlot<T>(wait: () => Promise<T>): Promise<T> {
  const slot = current.getStore();
  if (slot === undefined) {
    return wait();
  }
  const timer = setTimeout(() => {
    slot.leave();
  }, WAITS_LONG_MS);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
  }
}
