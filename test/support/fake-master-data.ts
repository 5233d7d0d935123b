import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendor,
  MasterVendorList,
} from '../../src/connector/bookkeeping/item/master-data.js';
import { textOf, type ItemVendor } from '../../src/connector/bookkeeping/item/export-item.js';
import { ErpLedger, type CreateVendorOutcome, type PostingGuarantee } from '../../src/connector/erp/erp-ledger.js';
import { ErpReferenceData } from '../../src/connector/erp/erp-reference-data.js';
import type { ErpCall } from '../../src/connector/erp/erp-call.js';
import { parseCurrency, type CurrencyCode } from '../../src/kernel/currency.js';
import { toErpCompanyId, toErpVendorId } from '../../src/kernel/ids.js';

/** Master data of one ERP company in memory. */
export class FakeMasterData extends ErpReferenceData {
  accountRows: readonly MasterAccount[] = [];
  taxCodeRows: readonly MasterTaxCode[] = [];
  dimensionRows: readonly MasterDimension[] = [];
  vendorRows: readonly MasterVendor[] = [];
  /** False: the ERP does not know the company any more. */
  isThere = true;
  /** Runs with each question; throwing keeps it from being answered. */
  requests: (list: string) => void = () => undefined;

  override accounts(): Promise<readonly MasterAccount[] | undefined> {
    return this.respond('accounts', this.accountRows);
  }

  override taxCodes(): Promise<readonly MasterTaxCode[] | undefined> {
    return this.respond('tax codes', this.taxCodeRows);
  }

  override dimensions(): Promise<readonly MasterDimension[] | undefined> {
    return this.respond('dimensions', this.dimensionRows);
  }

  override vendors(): Promise<MasterVendorList | undefined> {
    return this.respond('vendors', { functionalCurrency: euro(), vendors: this.vendorRows });
  }

  private async respond<T>(list: string, rows: T): Promise<T | undefined> {
    await Promise.resolve();
    this.requests(list);
    return this.isThere ? rows : undefined;
  }
}

/** An ERP that takes vendors: once per key, with the number it is given or the next of its own. */
export class VendorErp extends ErpLedger {
  readonly guarantee: PostingGuarantee = { level: 'permanent-key' };
  readonly companyId = toErpCompanyId('erp-company');
  /** Keys of all calls, in order. */
  readonly created: string[] = [];
  refusal: string | undefined;
  before: (key: string) => void = () => undefined;
  after: (key: string) => void = () => undefined;
  private readonly byKey = new Map<string, MasterVendor>();

  constructor(private readonly master: FakeMasterData) {
    super();
  }

  /** Forgets every key: the ERP of another test. */
  reset(): void {
    this.byKey.clear();
    this.created.length = 0;
    this.refusal = undefined;
  }

  override async createVendor(_call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    await Promise.resolve();
    this.created.push(key);
    this.before(key);
    if (this.refusal !== undefined) {
      return { outcome: 'refused', message: this.refusal };
    }
    const earlier = this.byKey.get(key);
    const made = earlier ?? this.masterOf(vendor);
    if (earlier === undefined) {
      this.byKey.set(key, made);
      this.master.vendorRows = [...this.master.vendorRows, made];
    }
    this.after(key);
    const { number: code, name, taxNumber, country } = made;
    return {
      outcome: earlier === undefined ? 'created' : 'existed',
      vendor: {
        id: toErpVendorId(`erp-${code}`),
        code,
        name,
        blocked: false,
        isEmployee: false,
        ...(country !== undefined && { country }),
        ...(taxNumber !== undefined && { taxNumber }),
      },
    };
  }

  override listCompanies = unexpectedCall;
  override loadMasterData = unexpectedCall;
  override findRates = unexpectedCall;
  override storeDocument = unexpectedCall;
  override post = unexpectedCall;
  override reverse = unexpectedCall;
  override settle = unexpectedCall;
  override findPosted = unexpectedCall;
  override inspect = unexpectedCall;
  override listGroups = unexpectedCall;

  private masterOf(vendor: ItemVendor): MasterVendor {
    const country = textOf(vendor.country);
    const taxNumber = textOf(vendor.taxRegistrationNumber);
    const wanted = textOf(vendor.code);
    return {
      number: wanted ?? `N-${(this.byKey.size + 1).toString()}`,
      name: vendor.name.trim(),
      isEmployee: false,
      usable: true,
      ...(country !== undefined && { country }),
      ...(taxNumber !== undefined && { taxNumber }),
    };
  }
}

function unexpectedCall(): Promise<never> {
  return Promise.reject(new Error('reference data needs nothing else of the ERP'));
}

function euro(): CurrencyCode {
  const currency = parseCurrency('EUR');
  if (currency === undefined) {
    throw new Error('EUR is no currency');
  }
  return currency;
}
