// The ERP port over the HTTP interface of the ledger program.
import { z } from 'zod';
import type { Secret } from '../../../foundation/config/secret.js';
import { HttpClient } from '../../../foundation/http/http-client.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { toErpCompanyId, type ErpCompanyId } from '../../../kernel/ids.js';
import type { ExchangeRate } from '../../bookkeeping/bookkeeping-context.js';
import { textOf, type ItemVendor } from '../../bookkeeping/export-item.js';
import {
  ErpLedger,
  ErpUnavailable,
  type CapabilityLevel,
  type CreateVendorOutcome,
  type ErpBooks,
  type ErpCompany,
  type PostedEntry,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type RateRequest,
} from '../erp-ledger.js';
import { accountOf, dimensionsOf, periodOf, rateOf, taxCodeOf, vendorOf } from './ledger-books.js';
import { LedgerHttp } from './ledger-http.js';
import {
  accountSchema,
  companySchema,
  createdVendorSchema,
  dimensionSchema,
  dimensionValueSchema,
  lookupSchema,
  outcomesSchema,
  periodSchema,
  rateSchema,
  taxCodeSchema,
  vendorSchema,
  type LedgerOutcome,
  type LedgerPostedEntry,
} from './ledger-wire.schema.js';
import { postingGroupBody } from './posting-request.js';

export interface LedgerErpOptions {
  /** Address of the ledger, without trailing slash. */
  readonly url: string;
  readonly apiKey: Secret;
  /** What the ledger's company promises about keys. */
  readonly level?: CapabilityLevel;
  /** Milliseconds for one exchange. */
  readonly timeoutMs?: number;
}

/** Groups the ledger takes, and keys it looks up, in one request. */
const BATCH = 500;
const PAGE_ROWS = 1_000;
/** A list that never ends is a fault of the other side. */
const MAX_PAGES = 1_000;
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 20_000;
/** The ledger takes 1,000 UTF-16 units; a character may need two. */
const DESCRIPTION_LIMIT = 500;
const LONGEST_NAME = 255;

export class LedgerErp extends ErpLedger {
  override readonly level: CapabilityLevel;
  private readonly client: HttpClient;
  private readonly http: LedgerHttp;

  constructor(private readonly options: LedgerErpOptions) {
    super();
    this.level = options.level ?? 'E3';
    this.client = new HttpClient({
      baseUrl: options.url,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      maxConnections: 8,
    });
    this.http = new LedgerHttp(this.client, options.apiKey);
  }

  /** Gives the connections back. */
  close(): void {
    this.client.close();
  }

  override async listCompanies(): Promise<readonly ErpCompany[]> {
    const companies = await this.readAll(companySchema, '/companies');
    return companies.map(({ id, name, registrationNumber }) => ({
      id: toErpCompanyId(id),
      name,
      registrationNumber: registrationNumber ?? undefined,
    }));
  }

  override async loadBooks(company: ErpCompanyId): Promise<ErpBooks | undefined> {
    const path = companyPath(company);
    const found = await this.http.ask(companySchema, { method: 'GET', path });
    if (found === undefined) {
      return undefined;
    }
    const functionalCurrency = parseCurrency(found.functionalCurrency);
    if (functionalCurrency === undefined) {
      throw new ErpUnavailable({
        kind: 'server-error',
        message: `the functional currency ${found.functionalCurrency} of company ${company} is not known`,
      });
    }
    const dimensions = await this.readAll(dimensionSchema, `${path}/dimensions`);
    return {
      functionalCurrency,
      timeZone: found.timeZone,
      descriptionLimit: DESCRIPTION_LIMIT,
      accounts: (await this.readAll(accountSchema, `${path}/accounts`)).map(accountOf),
      taxCodes: (await this.readAll(taxCodeSchema, `${path}/tax-codes`)).map(taxCodeOf),
      dimensions: dimensionsOf(
        dimensions,
        await this.readAll(dimensionValueSchema, `${path}/dimension-values`),
      ),
      vendors: (await this.readAll(vendorSchema, `${path}/vendors`)).map(vendorOf),
      periods: (await this.readAll(periodSchema, `${path}/periods`)).flatMap(periodOf),
    };
  }

  override async findRates(company: ErpCompanyId, request: RateRequest): Promise<readonly ExchangeRate[]> {
    const rates: ExchangeRate[] = [];
    for (const currency of request.currencies) {
      const query = { from: currency, since: request.from, until: request.to };
      const found = await this.readAll(rateSchema, `${companyPath(company)}/exchange-rates`, query);
      rates.push(...found.flatMap(rateOf));
    }
    return rates;
  }

  override async createVendor(
    company: ErpCompanyId,
    vendor: ItemVendor,
    key: string,
  ): Promise<CreateVendorOutcome> {
    const country = textOf(vendor.country)?.toUpperCase() ?? '';
    const result = await this.http.write(createdVendorSchema, {
      method: 'POST',
      path: `${companyPath(company)}/vendors`,
      headers: { 'idempotency-key': key },
      body: {
        number: textOf(vendor.code),
        externalId: textOf(vendor.externalId),
        name: vendor.name.trim().slice(0, LONGEST_NAME),
        country: /^[A-Z]{2}$/.test(country) ? country : undefined,
        registrationNumber: textOf(vendor.registrationNumber),
        taxRegistrationNumber: textOf(vendor.taxRegistrationNumber),
        defaultCurrency: parseCurrency(textOf(vendor.defaultCurrency) ?? ''),
      },
    });
    switch (result.kind) {
      case 'answered':
        return { outcome: result.value.outcome, vendor: vendorOf(result.value.vendor) };
      case 'refused':
        return { outcome: 'refused', message: result.message };
      case 'not-sent':
      case 'unknown':
        return { outcome: 'unavailable', failure: result.failure };
    }
  }

  override async post(
    company: ErpCompanyId,
    groups: readonly PostingGroup[],
  ): Promise<readonly PostOutcome[]> {
    const outcomes: PostOutcome[] = [];
    for (const batch of batches(groups)) {
      outcomes.push(...(await this.postBatch(company, batch)));
    }
    return outcomes;
  }

  override async findPosted(
    company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup>> {
    const found = new Map<string, PostedGroup>();
    for (const batch of batches(keys)) {
      const answer = await this.http.ask(lookupSchema, {
        method: 'POST',
        path: `${companyPath(company)}/posting-groups:lookup`,
        body: { keys: batch },
      });
      const byKey = new Map(answer?.data.map((group) => [group.key, group]));
      for (const key of batch) {
        const group = byKey.get(key);
        if (group === undefined) {
          // Silence is not "not there": only a certain answer allows a second post.
          const message = `the ledger said nothing about key ${key} of company ${company}`;
          throw new ErpUnavailable({ kind: 'server-error', message });
        }
        if (group.outcome === 'found') {
          found.set(key, { key, contentDigest: group.contentDigest, entries: this.entriesOf(group.entries) });
        }
      }
    }
    return found;
  }

  private async postBatch(
    company: ErpCompanyId,
    groups: readonly PostingGroup[],
  ): Promise<readonly PostOutcome[]> {
    const result = await this.http.write(outcomesSchema, {
      method: 'POST',
      path: `${companyPath(company)}/posting-groups`,
      body: { groups: groups.map(postingGroupBody) },
    });
    switch (result.kind) {
      case 'answered': {
        const byKey = new Map(result.value.outcomes.map((outcome) => [outcome.key, outcome]));
        return groups.map((group) => this.outcomeOf(group, byKey.get(group.key)));
      }
      case 'refused':
        return result.status === 413 && groups.length > 1
          ? this.postHalves(company, groups)
          : groups.map(() => ({ outcome: 'refused', message: result.message }));
      case 'not-sent':
      case 'unknown':
        return groups.map(() => ({ outcome: result.kind, failure: result.failure }));
    }
  }

  /** Too much for one request may be good in two. */
  private async postHalves(
    company: ErpCompanyId,
    groups: readonly PostingGroup[],
  ): Promise<readonly PostOutcome[]> {
    const middle = Math.ceil(groups.length / 2);
    const firstHalf = await this.postBatch(company, groups.slice(0, middle));
    return [...firstHalf, ...(await this.postBatch(company, groups.slice(middle)))];
  }

  private outcomeOf(group: PostingGroup, answer: LedgerOutcome | undefined): PostOutcome {
    const { key, contentDigest } = group;
    switch (answer?.outcome) {
      case 'created':
      case 'existed':
        return {
          outcome: answer.outcome,
          posted: { key, contentDigest, entries: this.entriesOf(answer.entries) },
        };
      case 'refused':
        return { outcome: 'refused', message: answer.message };
      case 'conflict': {
        const entries = this.entriesOf(answer.entries);
        return {
          outcome: 'conflict',
          existing: { key, contentDigest: answer.existingContentDigest, entries },
        };
      }
      case undefined: {
        const message = `the ledger said nothing about key ${key}`;
        return { outcome: 'unknown', failure: { kind: 'server-error', message } };
      }
    }
  }

  private entriesOf(entries: readonly LedgerPostedEntry[]): readonly PostedEntry[] {
    return entries.map(({ id, role, number, url }) => ({
      id,
      role,
      number: number ?? undefined,
      url: `${this.options.url}${url}`,
    }));
  }

  /** @throws ErpUnavailable also when the list is not there at all, or does not end */
  private async readAll<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    filter: Readonly<Record<string, string>> = {},
  ): Promise<readonly z.output<Schema>[]> {
    const page = z.object({ data: z.array(schema), nextCursor: z.string().nullable() });
    const rows: z.output<Schema>[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = new URLSearchParams({ ...filter, limit: PAGE_ROWS.toString() });
      if (after !== undefined) {
        query.set('after', after);
      }
      const answer = await this.http.ask(page, { method: 'GET', path, query });
      if (answer === undefined) {
        throw new ErpUnavailable({ kind: 'server-error', message: `the ledger has no ${path}` });
      }
      rows.push(...answer.data);
      if (answer.nextCursor === null) {
        return rows;
      }
      after = answer.nextCursor;
    }
    throw new ErpUnavailable({
      kind: 'server-error',
      message: `the list ${path} of the ledger does not end`,
    });
  }
}

function companyPath(company: ErpCompanyId): string {
  return `/companies/${encodeURIComponent(company)}`;
}

function batches<T>(values: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / BATCH) }, (_, index) =>
    values.slice(index * BATCH, (index + 1) * BATCH),
  );
}
