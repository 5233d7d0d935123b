// The journals that the connector has posted to. Look-ups are limited to them: the index over journals keeps a search by
// description off all other moves. A journal that was set before is remembered, or its entries would be posted twice.
import { z } from 'zod';
import type { CallScope } from '../erp-call.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { ErpStore } from '../kit/erp-store.js';
import type { TrytonRpc } from './tryton-rpc.js';

const STORE_KEY = 'journals';
const idsSchema = z.array(z.int());
const journalSchema = z.object({ id: z.int() });

export class TrytonJournals {
  private known: number | undefined;

  /** @param code of the journal to post to */
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly store: ErpStore,
    private readonly code: string,
  ) {}

  /**
   * @returns id of the journal to post to, which is remembered first
   * @throws ErpUnavailable also when there is no such journal
   */
  async current(scope: CallScope): Promise<number> {
    this.known ??= await this.find(scope);
    for (;;) {
      const { ids, version } = await this.remembered();
      if (ids.includes(this.known)) {
        return this.known;
      }
      await this.store.commit([{ key: STORE_KEY, value: [...ids, this.known], expectedVersion: version }]);
    }
  }

  /** @throws ErpUnavailable */
  async all(scope: CallScope): Promise<readonly number[]> {
    this.known ??= await this.find(scope);
    return [...new Set([...(await this.remembered()).ids, this.known])];
  }

  private async remembered(): Promise<{ readonly ids: readonly number[]; readonly version: number }> {
    const stored = (await this.store.read([STORE_KEY])).get(STORE_KEY);
    return { ids: idsSchema.parse(stored?.value ?? []), version: stored?.version ?? 0 };
  }

  private async find(scope: CallScope): Promise<number> {
    const [journal] = await this.rpc.readAll(scope, 'account.journal', journalSchema, [['code', '=', this.code]]);
    if (journal === undefined) {
      const message = `Tryton has no journal with the code ${this.code}`;
      throw new ErpUnavailable({ kind: 'server-error', message });
    }
    return journal.id;
  }
}
