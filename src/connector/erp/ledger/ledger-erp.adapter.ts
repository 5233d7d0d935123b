// The ERP port over the HTTP interface of the ledger program.
import type { z } from 'zod';
import type { Secret } from '../../../foundation/config/secret.js';
import { HttpClient, type CircuitOptions } from '../../../foundation/http/client/http-client.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { toErpCompanyId, type ErpCompanyId } from '../../../kernel/ids.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import { cutText } from '../../../kernel/text.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import { textOf, type ItemVendor } from '../../bookkeeping/item/export-item.js';
import {
  ErpLedger,
  ErpUnavailable,
  type CreateVendorOutcome,
  type ErpMasterData,
  type ErpCapability,
  type ErpCompany,
  type ErpDocument,
  type InspectedGroup,
  type ListedGroups,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type RateRequest,
  type ReverseOutcome,
  type SettleOutcome,
  type StoreDocumentOutcome,
} from '../erp-ledger.js';
import { accountOf, dimensionsOf, periodOf, rateOf, taxCodeOf, vendorOf } from './ledger-master-data.js';
import { LedgerDocuments } from './ledger-documents.js';
import { companyPath, LedgerHttp } from './ledger-http.js';
import { LedgerInspection } from './ledger-inspection.js';
import { LedgerPostings } from './ledger-postings.js';
import { LedgerSettlements } from './ledger-settlements.js';
import {
  accountSchema,
  companySchema,
  createdVendorSchema,
  dimensionSchema,
  dimensionValueSchema,
  periodSchema,
  rateSchema,
  taxCodeSchema,
  vendorSchema,
} from './ledger-wire.schema.js';

export interface LedgerErpOptions {
  /** Address of the ledger, without trailing slash. */
  readonly url: string;
  readonly apiKey: Secret;
  /** What the ledger's companies were created to guarantee about keys; `permanent-key` by default. */
  readonly capability?: ErpCapability;
  /** When calls to the ledger are suspended for a moment; never when absent. */
  readonly circuit?: CircuitOptions;
  /** Milliseconds for one exchange. */
  readonly timeoutMs?: number;
  /** Milliseconds for one document, which arrives at the pace of the server that it is fetched from. */
  readonly documentTimeoutMs?: number;
}

const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_DOCUMENT_TIMEOUT_MS = 150_000;
/** The ledger takes 1,000 UTF-16 units; a character may need two. */
const DESCRIPTION_LIMIT = 500;
const MAX_NAME_LENGTH = 255;

export class LedgerErp extends ErpLedger {
  override readonly capability: ErpCapability;
  private readonly client: HttpClient;
  private readonly http: LedgerHttp;
  private readonly postings: LedgerPostings;
  private readonly settlements: LedgerSettlements;
  private readonly documents: LedgerDocuments;
  private readonly inspection: LedgerInspection;

  constructor(options: LedgerErpOptions) {
    super();
    this.capability = options.capability ?? { level: 'permanent-key' };
    this.client = new HttpClient({
      peer: 'erp',
      baseUrl: options.url,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxConnections: 8,
      ...(options.circuit && { circuit: options.circuit }),
    });
    this.http = new LedgerHttp(this.client, options.apiKey);
    this.postings = new LedgerPostings(this.http, options.url, this.capability);
    this.settlements = new LedgerSettlements(this.http, this.capability);
    this.inspection = new LedgerInspection(this.http, this.capability);
    this.documents = new LedgerDocuments(this.http, options.documentTimeoutMs ?? DEFAULT_DOCUMENT_TIMEOUT_MS);
  }

  /** Closes the connections. */
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

  override async loadMasterData(company: ErpCompanyId): Promise<ErpMasterData | undefined> {
    const path = companyPath(company);
    const found = await this.http.read(companySchema, { method: 'GET', path });
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
      dimensions: dimensionsOf(dimensions, await this.readAll(dimensionValueSchema, `${path}/dimension-values`)),
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

  override async createVendor(company: ErpCompanyId, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    const country = textOf(vendor.country)?.toUpperCase() ?? '';
    const result = await this.http.write(createdVendorSchema, {
      method: 'POST',
      path: `${companyPath(company)}/vendors`,
      headers: { 'idempotency-key': key },
      body: {
        number: textOf(vendor.code),
        externalId: textOf(vendor.externalId),
        name: cutText(vendor.name.trim(), MAX_NAME_LENGTH),
        country: /^[A-Z]{2}$/.test(country) ? country : undefined,
        registrationNumber: textOf(vendor.registrationNumber),
        taxRegistrationNumber: textOf(vendor.taxRegistrationNumber),
        defaultCurrency: parseCurrency(textOf(vendor.defaultCurrency) ?? ''),
      },
    });
    switch (result.kind) {
      case 'responded':
        return { outcome: result.value.outcome, vendor: vendorOf(result.value.vendor) };
      case 'refused':
        return { outcome: 'refused', message: result.message };
      case 'not-sent':
      case 'unknown':
        return { outcome: 'unavailable', failure: result.failure };
    }
  }

  override storeDocument(company: ErpCompanyId, document: ErpDocument): Promise<StoreDocumentOutcome> {
    return this.documents.store(company, document);
  }

  override post(company: ErpCompanyId, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    return this.postings.post(company, groups);
  }

  override reverse(company: ErpCompanyId, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    return this.postings.reverse(company, keys);
  }

  override settle(
    company: ErpCompanyId,
    keys: readonly string[],
    realizedFx?: string,
  ): Promise<readonly SettleOutcome[]> {
    return this.settlements.settle(company, keys, realizedFx);
  }

  override findPosted(company: ErpCompanyId, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    return this.postings.find(company, keys);
  }

  override inspect(
    company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    return this.inspection.inspect(company, keys);
  }

  override listGroups(
    company: ErpCompanyId,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    return this.inspection.list(company, days, after);
  }

  /** @throws ErpUnavailable also when the list does not exist or does not end */
  private async readAll<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    filter?: Readonly<Record<string, string>>,
  ): Promise<readonly z.output<Schema>[]> {
    const rows = await this.http.readAll(schema, path, filter);
    if (rows === undefined) {
      throw new ErpUnavailable({ kind: 'server-error', message: `the ledger has no ${path}` });
    }
    return rows;
  }
}
