// The port for posting, over files: what is known comes from the settings, what is posted lies in the connection's store.
import { addDays, type LocalDate } from '../../../kernel/local-date.js';
import { toErpAccountId, toErpTaxCodeId, toErpVendorId } from '../../../kernel/ids.js';
import type { ErpPeriod } from '../../bookkeeping/item/bookkeeping-context.js';
import type { ErpCall } from '../erp-call.js';
import type { InspectedGroup, ListedGroups } from '../erp-books.js';
import {
  ErpLedger,
  type PostingGuarantee,
  type ErpCompany,
  type ErpDocument,
  type ErpMasterData,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type ReverseOutcome,
  type StoreDocumentOutcome,
} from '../erp-ledger.js';
import { fileFormats } from './formats/file-formats.js';
import { FILES_COMPANY } from './files-company.js';
import type { FilesBooks } from './files-books.js';
import type { ReceiptFiles } from './receipts/receipt-files.js';
import type { FilesSettings } from './settings/files-settings.js';

const FIRST_DAY = '1900-01-01' as LocalDate;
const LAST_DAY = '2999-12-31' as LocalDate;

export class FilesLedger extends ErpLedger {
  /** @param settings throws ErpUnavailable when they are not usable */
  constructor(
    private readonly settings: () => FilesSettings,
    private readonly books: FilesBooks,
    private readonly receipts: ReceiptFiles,
    readonly guarantee: PostingGuarantee,
  ) {
    super();
  }

  listCompanies(): Promise<readonly ErpCompany[]> {
    return new Promise((resolve) => {
      const { companyName: name, registrationNumber } = this.settings();
      resolve([{ id: FILES_COMPANY, name, registrationNumber }]);
    });
  }

  loadMasterData({ company }: ErpCall): Promise<ErpMasterData | undefined> {
    return new Promise((resolve) => {
      const settings = this.settings();
      resolve(company === FILES_COMPANY ? masterDataOf(settings) : undefined);
    });
  }

  override storeDocument(call: ErpCall, document: ErpDocument): Promise<StoreDocumentOutcome> {
    return this.receipts.keep(call, document);
  }

  post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    return this.books.post(call, groups);
  }

  reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    return this.books.reverse(call, keys);
  }

  findPosted(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    return this.books.find(call, keys);
  }

  inspect(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    return this.books.inspect(call, keys);
  }

  listGroups(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    return this.books.list(call, days, after);
  }
}

function masterDataOf(settings: FilesSettings): ErpMasterData {
  return {
    functionalCurrency: settings.functionalCurrency,
    timeZone: settings.timeZone,
    descriptionLimit: fileFormats[settings.format].textLength,
    accounts: [...settings.accounts.values()].map(({ code, name, active }) => ({
      externalId: toErpAccountId(code),
      code,
      name,
      active,
    })),
    taxCodes: [...settings.taxCodes.values()].map(
      ({ code, name, active, inputAccount, outputAccount, deductible }) => ({
        externalId: toErpTaxCodeId(code),
        code,
        name,
        active,
        ...(inputAccount === undefined ? {} : { inputAccount }),
        ...(outputAccount === undefined ? {} : { outputAccount }),
        ...(deductible === undefined ? {} : { deductible }),
      }),
    ),
    dimensions: [...settings.dimensions.values()].map(({ code, values }) => ({
      code,
      active: true,
      values: [...values.values()].map(({ code: value, active }) => ({ code: value, active })),
    })),
    vendors: [...settings.vendors.values()].map((vendor) => ({
      id: toErpVendorId(vendor.number),
      code: vendor.number,
      name: vendor.name,
      blocked: !vendor.active,
      isEmployee: vendor.isEmployee,
      ...(vendor.country === undefined ? {} : { country: vendor.country }),
      ...(vendor.taxNumber === undefined ? {} : { taxNumber: vendor.taxNumber }),
      ...(vendor.payablesAccount === undefined ? {} : { payablesAccount: vendor.payablesAccount }),
    })),
    periods: periodsOf(settings.closedUntil),
  };
}

function periodsOf(closedUntil: LocalDate | undefined): readonly ErpPeriod[] {
  if (closedUntil === undefined) return [{ name: 'open', from: FIRST_DAY, to: LAST_DAY, open: true }];
  return [
    { name: `until ${closedUntil}`, from: FIRST_DAY, to: closedUntil, open: false },
    { name: `from ${addDays(closedUntil, 1)}`, from: addDays(closedUntil, 1), to: LAST_DAY, open: true },
  ];
}
