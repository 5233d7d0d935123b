// The ERP port over the HTTP interface of the ledger program.
import { parseCurrency } from '../../../kernel/currency.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import { cutText } from '../../../kernel/text.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import { textOf, type ItemVendor } from '../../bookkeeping/item/export-item.js';
import type { CallScope, ErpCall } from '../erp-call.js';
import type { AccountBalance, InspectedGroup, ListedGroups } from '../erp-books.js';
import {
  ErpLedger,
  type CreateVendorOutcome,
  type ErpMasterData,
  type PostingGuarantee,
  type ErpCompany,
  type ErpDocument,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type RateRequest,
  type ReverseOutcome,
  type SettleOutcome,
  type StoreDocumentOutcome,
} from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { rateOf, vendorOf } from './ledger-master-data.js';
import { ledgerBalances } from './ledger-balances.js';
import { LedgerDocuments } from './ledger-documents.js';
import { companyPath, readWhole } from './ledger-http.js';
import { LedgerInspection } from './ledger-inspection.js';
import { LedgerLists } from './ledger-lists.js';
import { LedgerPostings } from './ledger-postings.js';
import { LedgerSettlements } from './ledger-settlements.js';
import { companySchema, createdVendorSchema, rateSchema } from './ledger-wire.schema.js';

/** Milliseconds for one document, which arrives at the pace of the server that it is fetched from. */
const DOCUMENT_TIMEOUT_MS = 150_000;
const MAX_NAME_LENGTH = 255;

export class LedgerErp extends ErpLedger {
  private readonly postings: LedgerPostings;
  private readonly settlements: LedgerSettlements;
  private readonly documents: LedgerDocuments;
  private readonly inspection: LedgerInspection;
  private readonly lists: LedgerLists;

  /**
   * @param url address of the ledger, without trailing slash, for links to its entries
   * @param guarantee what the ledger's companies were created with
   */
  constructor(
    private readonly http: ErpHttp,
    url: string,
    guarantee: PostingGuarantee,
    documentTimeoutMs = DOCUMENT_TIMEOUT_MS,
  ) {
    super();
    this.postings = new LedgerPostings(http, url, guarantee);
    this.settlements = new LedgerSettlements(http);
    this.inspection = new LedgerInspection(http);
    this.lists = new LedgerLists(http);
    this.documents = new LedgerDocuments(http, documentTimeoutMs);
  }

  override async listCompanies(scope: CallScope): Promise<readonly ErpCompany[]> {
    const companies = await readWhole(this.http, scope, companySchema, '/companies');
    return companies.map(({ id, name, registrationNumber }) => ({
      id: toErpCompanyId(id),
      name,
      registrationNumber: registrationNumber ?? undefined,
    }));
  }

  override loadMasterData(call: ErpCall): Promise<ErpMasterData | undefined> {
    return this.lists.load(call);
  }

  override updateMasterData(call: ErpCall, known: ErpMasterData): Promise<ErpMasterData | undefined> {
    return this.lists.update(call, known);
  }

  override async findRates(call: ErpCall, request: RateRequest): Promise<readonly ExchangeRate[]> {
    const rates: ExchangeRate[] = [];
    for (const currency of request.currencies) {
      const query = { from: currency, since: request.from, until: request.to };
      const found = await readWhole(this.http, call, rateSchema, `${companyPath(call)}/exchange-rates`, query);
      rates.push(...found.flatMap(rateOf));
    }
    return rates;
  }

  override async createVendor(call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    const country = textOf(vendor.country)?.toUpperCase() ?? '';
    const result = await this.http.writeRepeatable(call, createdVendorSchema, {
      method: 'POST',
      path: `${companyPath(call)}/vendors`,
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

  override storeDocument(call: ErpCall, document: ErpDocument): Promise<StoreDocumentOutcome> {
    return this.documents.store(call, document);
  }

  override post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    return this.postings.post(call, groups);
  }

  override reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    return this.postings.reverse(call, keys);
  }

  override settle(call: ErpCall, keys: readonly string[], realizedFx?: string): Promise<readonly SettleOutcome[]> {
    return this.settlements.settle(call, keys, realizedFx);
  }

  override findPosted(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    return this.postings.find(call, keys);
  }

  override inspect(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    return this.inspection.inspect(call, keys);
  }

  override listGroups(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    return this.inspection.list(call, days, after);
  }

  override accountBalances(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<readonly AccountBalance[]> {
    return ledgerBalances(this.http, call, days);
  }
}
