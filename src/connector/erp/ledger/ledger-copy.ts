// Copies a ledger company with its master data and without entries, so that a job can be replayed without touching real
// books.
import { z } from 'zod';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { ErpHttp, ErpRequest } from '../kit/erp-http.js';
import type { CallScope } from '../erp-call.js';
import { companyPath } from './ledger-http.js';

const PAGE_ROWS = '1000';

const row = z.record(z.string(), z.unknown());
const page = z.object({ data: z.array(row), nextCursor: z.string().nullable() });
type Page = z.output<typeof page>;
/** The response to a written list. */
const empty = z.unknown().transform(() => true);

/** Every list, after the lists that it refers to. All rows become active, as they were when the entries were posted. */
const LISTS: readonly (readonly [path: string, inUse: Readonly<Record<string, unknown>>])[] = [
  ['periods', { state: 'open' }],
  ['accounts', { active: true }],
  ['tax-codes', { active: true }],
  ['dimensions', { active: true }],
  ['dimension-values', { active: true }],
  ['vendors', { archived: false, blocked: false }],
];

export class LedgerCopy {
  constructor(
    private readonly http: ErpHttp,
    private readonly scope: CallScope,
  ) {}

  /**
   * @param copy id of the new company, not in use yet
   * @throws ErpUnavailable also for an unknown company
   */
  async create(company: ErpCompanyId, copy: ErpCompanyId): Promise<void> {
    const found = await this.send(row, { method: 'GET', path: companyPath({ company }) });
    const { name, functionalCurrency, timeZone, country } = found;
    // Without a registration number: the copy is not the company.
    const body = { name: `Replay of ${String(name)}`.slice(0, 255), functionalCurrency, timeZone, country };
    await this.send(row, { method: 'PUT', path: companyPath({ company: copy }), body });
    for (const [path, inUse] of LISTS) {
      await this.copyList(`${companyPath({ company })}/${path}`, `${companyPath({ company: copy })}/${path}`, inUse);
    }
  }

  close(): void {
    this.http.close();
  }

  private async copyList(from: string, to: string, inUse: Readonly<Record<string, unknown>>): Promise<void> {
    let after: string | undefined;
    do {
      const query = new URLSearchParams({ limit: PAGE_ROWS, ...(after !== undefined && { after }) });
      const rows: Page = await this.send(page, { method: 'GET', path: from, query });
      const data = rows.data.map((each) => ({ ...each, ...inUse, id: undefined }));
      await this.send(empty, { method: 'PUT', path: to, body: { data } });
      after = rows.nextCursor ?? undefined;
    } while (after !== undefined);
  }

  private async send<Schema extends z.ZodType>(schema: Schema, request: ErpRequest): Promise<z.output<Schema>> {
    const response = await this.http.read(this.scope, schema, request);
    if (response === undefined) {
      throw new ErpUnavailable({ kind: 'server-error', message: `the ledger has no ${request.path}` });
    }
    return response;
  }
}
