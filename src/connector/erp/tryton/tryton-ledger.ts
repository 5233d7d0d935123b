// The port for posting, over the parts of this adapter.
import type { Clock } from '../../../kernel/clock.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../../bookkeeping/item/export-item.js';
import type { CallScope, ErpCall } from '../erp-call.js';
import type {
  CreateVendorOutcome,
  ErpCompany,
  ErpMasterData,
  PostingGroup,
  PostOutcome,
  RateRequest,
} from '../erp-ledger.js';
import { StepLedger } from '../kit/step-ledger.js';
import type { TrytonCompanies } from './tryton-companies.js';
import type { TrytonMasterData } from './tryton-master-data.js';
import { readRates } from './tryton-rates.js';
import type { MoveValues } from './move-values.js';
import type { TrytonMove } from './tryton-moves.js';
import type { TrytonSteps } from './tryton-steps.js';
import type { TrytonRpc } from './tryton-rpc.js';
import { TrytonVendors } from './tryton-vendors.js';

/** Characters of a description. Tryton has no limit; lists show a line. */
export const DESCRIPTION_LIMIT = 500;

/**
 * Lines of an entry, and of the groups of one request. Tryton takes 20 to 40 ms for each: what takes longer than the connector
 * waits for a response would time out at each repetition, too.
 */
export const MAX_LINES = 200;

export interface TrytonParts {
  readonly rpc: TrytonRpc;
  readonly companies: TrytonCompanies;
  readonly masterData: TrytonMasterData;
  readonly steps: TrytonSteps;
}

export class TrytonLedger extends StepLedger<MoveValues, TrytonMove> {
  constructor(
    private readonly parts: TrytonParts,
    clock: Clock,
  ) {
    super(parts.steps, clock);
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
        accounts: await masterData.accounts(call, facts),
        taxCodes: await masterData.taxCodes(call),
        dimensions: await masterData.dimensions(call),
        vendors: await masterData.vendors(call),
        periods: await masterData.periods(call),
      }
    );
  }

  /** A group with more lines than that has a request of its own, as Tryton posts a group by one. */
  override async post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const outcomes: PostOutcome[] = [];
    for (const some of inRequests(groups)) outcomes.push(...(await super.post(call, some)));
    return outcomes;
  }

  override async findRates(call: ErpCall, request: RateRequest): Promise<readonly ExchangeRate[]> {
    const { rpc, companies } = this.parts;
    return readRates(rpc, call, await companies.currency(call), request);
  }

  override async createVendor(call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    return new TrytonVendors(this.parts.rpc, this.parts.masterData).create(call, vendor, key);
  }
}

function inRequests(groups: readonly PostingGroup[]): readonly (readonly PostingGroup[])[] {
  const requests: PostingGroup[][] = [];
  let left = 0;
  for (const group of groups) {
    const lines = group.entries.reduce((sum, entry) => sum + entry.lines.length, 0);
    const last = requests.at(-1);
    if (last === undefined || lines > left) {
      requests.push([group]);
      left = MAX_LINES;
    } else {
      last.push(group);
    }
    left -= lines;
  }
  return requests;
}
