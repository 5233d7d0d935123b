// What stands between an adapter and that which keeps its entries, and can cut it off at any exchange: a proxy in front of an
// ERP with an HTTP interface, or the store of an adapter that has no ERP behind it.
import { ErpStore, type StoreChange, type StoredValue } from '../connector/erp/kit/erp-store.js';
import { HttpProxy, type Passage, type Passing, type ScriptedResponse } from './http-proxy.js';

export interface Exchange {
  /** From 0, since the line was last disturbed. */
  readonly index: number;
  /** It may change something that counts. */
  readonly commits: boolean;
  /** For people: method and path. */
  readonly name: string;
}

/**
 * `request`: it does not arrive. `answer`: it takes effect, and its answer does not arrive; `by` is what arrives instead. `late`: it
 * does not arrive before `deliverLate`, and its answer never.
 */
export interface Disturbance {
  readonly lost: 'request' | 'answer' | 'late';
  readonly by?: ScriptedResponse;
}

export interface Line {
  /** The exchanges since the line was last disturbed. */
  readonly seen: readonly Exchange[];
  /** @param decide undefined: the exchange passes as it is */
  disturb(decide: (exchange: Exchange) => Disturbance | undefined): void;
  /** What was held back arrives, and has its effect. */
  deliverLate(): Promise<void>;
  close(): Promise<void>;
}

export class HttpLine implements Line {
  readonly seen: Exchange[] = [];
  private late: Passing[] = [];

  private constructor(
    private readonly proxy: HttpProxy,
    private readonly commits: (request: Passing) => boolean,
  ) {
    this.disturb(() => undefined);
  }

  /** @param commits whether a request may have an effect that counts */
  static async open(target: string, commits: (request: Passing) => boolean): Promise<HttpLine> {
    return new HttpLine(await HttpProxy.start(0, target), commits);
  }

  /** Where the ERP answers through this line. */
  get address(): string {
    return this.proxy.url;
  }

  disturb(decide: (exchange: Exchange) => Disturbance | undefined): void {
    this.seen.length = 0;
    const decided = new Map<Passing, Disturbance | undefined>();
    const passage = (passing: Passing, boundary: 'request' | 'answer'): Passage => {
      const disturbance = decided.get(passing);
      return disturbance?.lost === boundary ? (disturbance.by ?? 'cut') : true;
    };
    this.proxy.boundaries = {
      onRequest: (passing) => {
        const { method, path } = passing;
        const exchange = { index: this.seen.length, commits: this.commits(passing), name: `${method} ${path}` };
        this.seen.push(exchange);
        const disturbance = decide(exchange);
        decided.set(passing, disturbance);
        if (disturbance?.lost === 'late') {
          this.late.push(passing);
          return 'cut';
        }
        return passage(passing, 'request');
      },
      onResponse: (passing) => passage(passing, 'answer'),
    };
  }

  async deliverLate(): Promise<void> {
    for (const passing of this.late.splice(0)) {
      await this.proxy.deliver(passing);
    }
  }

  async close(): Promise<void> {
    await this.proxy.close();
  }
}

/** A store that can be cut off; what is lost is a failing call. */
export class StoreLine extends ErpStore implements Line {
  readonly seen: Exchange[] = [];
  private readonly late: (() => Promise<unknown>)[] = [];
  private decide: (exchange: Exchange) => Disturbance | undefined = () => undefined;

  constructor(private readonly store: ErpStore) {
    super();
  }

  disturb(decide: (exchange: Exchange) => Disturbance | undefined): void {
    this.seen.length = 0;
    this.decide = decide;
  }

  override read(keys: readonly string[]): Promise<ReadonlyMap<string, StoredValue>> {
    return this.exchange('read', () => this.store.read(keys));
  }

  override list(
    prefix: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly (StoredValue & { readonly key: string })[]> {
    return this.exchange('list', () => this.store.list(prefix, after, limit));
  }

  override commit(changes: readonly StoreChange[]): Promise<boolean> {
    return this.exchange('commit', () => this.store.commit(changes));
  }

  async deliverLate(): Promise<void> {
    for (const act of this.late.splice(0)) {
      await act();
    }
  }

  async close(): Promise<void> {
    return Promise.resolve();
  }

  private async exchange<T>(name: string, act: () => Promise<T>): Promise<T> {
    const exchange = { index: this.seen.length, commits: name === 'commit', name: `${name} of the store` };
    this.seen.push(exchange);
    const lost = this.decide(exchange)?.lost;
    if (lost === 'late') {
      this.late.push(act);
    }
    const result = lost === 'request' || lost === 'late' ? undefined : await act();
    if (lost !== undefined) {
      throw new Error('the store is cut off');
    }
    return result as T;
  }
}
