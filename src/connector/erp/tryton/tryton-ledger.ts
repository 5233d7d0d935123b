// The port for posting, over the parts of this adapter.
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../../bookkeeping/item/export-item.js';
import type { CallScope, ErpCall } from '../erp-call.js';
import {
  ErpLedger,
  type CreateVendorOutcome,
  type ErpCompany,
  type ErpMasterData,
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
import type { TrytonCompanies } from './tryton-companies.js';
import type { TrytonInspection } from './tryton-inspection.js';
import type { TrytonMasterData } from './tryton-master-data.js';
import type { TrytonPostings } from './tryton-postings.js';
import { readRates } from './tryton-rates.js';
import type { TrytonReversals } from './tryton-reversals.js';
import type { TrytonRpc } from './tryton-rpc.js';
import { TrytonVendors } from './tryton-vendors.js';

/** Characters of a description. Tryton has no limit; lists show a line. */
export const DESCRIPTION_LIMIT = 500;

export interface TrytonParts {
  readonly rpc: TrytonRpc;
  readonly companies: TrytonCompanies;
  readonly masterData: TrytonMasterData;
  readonly postings: TrytonPostings;
  readonly reversals: TrytonReversals;
  readonly inspection: TrytonInspection;
}

export class TrytonLedger extends ErpLedger {
  constructor(private readonly parts: TrytonParts) {
    super();
  }

  override async listCompanies(scope: CallScope): Promise<readonly ErpCompany[]> {
    return this.parts.companies.list(scope);
  }

  override async loadMasterData(call: ErpCall): Promise<ErpMasterData | undefined> {
    const { companies, masterData } = this.parts;
    const facts = await companies.facts(call);
    return (
      facts && {
        ...facts,
        descriptionLimit: DESCRIPTION_LIMIT,
        accounts: await masterData.accounts(call),
        taxCodes: await masterData.taxCodes(call),
        dimensions: await masterData.dimensions(call),
        vendors: await masterData.vendors(call),
        periods: await masterData.periods(call),
      }
    );
  }

  override async findRates(call: ErpCall, request: RateRequest): Promise<readonly ExchangeRate[]> {
    const { rpc, companies } = this.parts;
    return readRates(rpc, call, await companies.currency(call), request);
  }

  override async createVendor(call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    return new TrytonVendors(this.parts.rpc, this.parts.masterData).create(call, vendor, key);
  }

  /** Not declared, so that it is not called: attachments of Tryton belong to a record that exists. */
  override async storeDocument(): Promise<StoreDocumentOutcome> {
    return Promise.resolve({ outcome: 'refused', message: 'Documents are not stored in Tryton.' });
  }

  override async post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    return this.parts.postings.post(call, groups);
  }

  override async reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    return this.parts.reversals.reverse(call, keys);
  }

  /** Not declared, so that it is not called. */
  override async settle(_call: ErpCall, keys: readonly string[]): Promise<readonly SettleOutcome[]> {
    return Promise.resolve(keys.map(() => ({ outcome: 'nothing-to-settle' })));
  }

  override async findPosted(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    return this.parts.postings.find(call, keys);
  }

  override async inspect(
    call: ErpCall,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    return this.parts.inspection.inspect(call, keys);
  }

  override async listGroups(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    return this.parts.inspection.list(call, days, after);
  }
}
