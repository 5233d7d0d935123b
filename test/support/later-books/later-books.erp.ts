// Tiny Books behind an office that carries posts out later: its adapter declares `outcomeLater`, answers `accepted`, and asks.
import * as kit from '../../../src/connector/erp/kit/erp-kit.js';
import { tinyBooks } from '../tiny-books/tiny-books.erp.js';
import { fromWire, toWire } from './later-books-wire.js';

const { z } = kit;
type Told = kit.PostOutcome | kit.AcceptedOutcome;

export const laterBooks = kit.defineErp({
  ...tinyBooks,
  id: 'later-books',
  name: 'Tiny Books (later)',
  capabilities: (settings) => ({
    ...tinyBooks.capabilities(settings),
    requestMayTakeMs: 100,
    outcomeLater: { mayTakeMs: 400 },
  }),
  create(context) {
    const { ledger, referenceData } = tinyBooks.create(context);
    const url = kit.addressSetting(context.settings, 'url');
    return {
      ledger: new LaterLedger(ledger, context.http({ baseUrl: url, name: 'the office', headers: () => ({}) })),
      referenceData,
    };
  },
});

class LaterLedger extends kit.ErpLedger {
  constructor(
    private readonly inner: kit.ErpLedger,
    private readonly http: kit.ErpHttp,
  ) {
    super();
  }

  override async post(call: kit.ErpCall, groups: readonly kit.PostingGroup[]): Promise<readonly Told[]> {
    const request = { method: 'POST', path: '/jobs', body: { groups: toWire(groups) } } as const;
    const sent = await this.http.write(call, z.object({ job: z.int() }), request);
    return groups.map((_, index): Told => {
      switch (sent.kind) {
        case 'responded':
          return { outcome: 'accepted', handle: `${sent.value.job.toString()}/${index.toString()}` };
        case 'refused':
          return { outcome: 'refused', message: sent.message };
        default:
          return { outcome: sent.kind, failure: sent.failure };
      }
    });
  }

  override async outcomesOf(call: kit.ErpCall, accepted: readonly kit.AcceptedGroup[]): Promise<readonly Told[]> {
    const jobs = new Map<string, readonly kit.PostOutcome[] | 'lies there' | undefined>();
    const outcomes: Told[] = [];
    for (const { key, handle } of accepted) {
      const [job = '', index] = handle.split('/');
      if (!jobs.has(job)) {
        const found = await this.http.read(call, z.object({ outcomes: z.string().optional() }), {
          method: 'GET',
          path: `/jobs/${job}`,
        });
        const outcomes = found?.outcomes;
        jobs.set(job, outcomes === undefined ? found && 'lies there' : fromWire<kit.PostOutcome[]>(outcomes));
      }
      const known = jobs.get(job);
      const outcome = typeof known === 'object' ? known[Number(index)] : undefined;
      const failure = { kind: 'server-error', message: 'the office knows no such job' } as const;
      if (known === 'lies there') {
        outcomes.push({ outcome: 'accepted', handle });
      } else {
        // The office reports what became of it, the books what it is.
        const posted = outcome?.outcome === 'created' && (await this.inner.findPosted(call, [key])).get(key);
        outcomes.push(posted ? { outcome: 'created', posted } : (outcome ?? { outcome: 'unknown', failure }));
      }
    }
    return outcomes;
  }

  override listCompanies(scope: kit.CallScope) {
    return this.inner.listCompanies(scope);
  }

  override loadMasterData(call: kit.ErpCall) {
    return this.inner.loadMasterData(call);
  }

  override reverse(call: kit.ErpCall, keys: readonly string[]) {
    return this.inner.reverse(call, keys);
  }

  override findPosted(call: kit.ErpCall, keys: readonly string[]) {
    return this.inner.findPosted(call, keys);
  }

  override inspect(call: kit.ErpCall, keys: readonly string[]) {
    return this.inner.inspect(call, keys);
  }

  override listGroups(...asked: Parameters<kit.ErpLedger['listGroups']>) {
    return this.inner.listGroups(...asked);
  }
}
