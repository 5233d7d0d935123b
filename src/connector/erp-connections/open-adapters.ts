// The open adapters of this process: one for each connection, closed when it was not used for a while, or
// when its connection has changed and the calls of runs that began before are over.
import type { OpenAdapter } from '../erp/kit/open-adapter.js';

const IDLE_MS = 10 * 60_000;
/** A run keeps the adapter that it began with; it may be busy elsewhere in the meantime. */
const REPLACED_IDLE_MS = 2 * 60_000;
const MAX_OPEN = 500;
const LOOK_EVERY_MS = 30_000;

interface CurrentAdapter {
  readonly version: number;
  readonly adapter: OpenAdapter;
}

export class OpenAdapters {
  /** In the order of their last use. */
  private readonly current = new Map<string, CurrentAdapter>();
  private readonly replaced = new Set<OpenAdapter>();
  private readonly timer = setInterval(() => {
    this.closeIdle();
  }, LOOK_EVERY_MS).unref();

  /** @param version of the connection: another one needs another adapter */
  get(key: string, version: number, open: () => OpenAdapter): OpenAdapter {
    const known = this.current.get(key);
    this.current.delete(key);
    if (known?.version === version) {
      this.current.set(key, known);
      return known.adapter;
    }
    const adapter = open();
    this.current.set(key, { version, adapter });
    if (known !== undefined) {
      this.replaced.add(known.adapter);
    }
    if (this.current.size > MAX_OPEN) {
      this.replaceLeastUsed();
    }
    return adapter;
  }

  /** Closes what is not needed. */
  closeIdle(): void {
    for (const [key, { adapter }] of this.current) {
      if (adapter.idleMs() >= IDLE_MS) {
        this.current.delete(key);
        adapter.close();
      }
    }
    for (const adapter of this.replaced) {
      if (adapter.idleMs() >= REPLACED_IDLE_MS) {
        this.replaced.delete(adapter);
        adapter.close();
      }
    }
  }

  closeAll(): void {
    clearInterval(this.timer);
    for (const adapter of [...[...this.current.values()].map(({ adapter }) => adapter), ...this.replaced]) {
      adapter.close();
    }
  }

  private replaceLeastUsed(): void {
    for (const [key, { adapter }] of this.current) {
      this.current.delete(key);
      this.replaced.add(adapter);
      return;
    }
  }
}
