// The port for what the platform's users choose from.
import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendorList,
} from '../../bookkeeping/item/master-data.js';
import type { ErpCall } from '../erp-call.js';
import { ErpReferenceData } from '../erp-reference-data.js';
import type { TrytonCompanies } from './tryton-companies.js';
import type { TrytonMasterData } from './tryton-master-data.js';

export class TrytonReferenceData extends ErpReferenceData {
  constructor(
    private readonly companies: TrytonCompanies,
    private readonly masterData: TrytonMasterData,
  ) {
    super();
  }

  override async accounts(call: ErpCall): Promise<readonly MasterAccount[] | undefined> {
    const facts = await this.companies.facts(call);
    return facts && this.masterData.accounts(call, facts);
  }

  override async taxCodes(call: ErpCall): Promise<readonly MasterTaxCode[] | undefined> {
    return (await this.companies.facts(call)) && this.masterData.taxCodes(call);
  }

  override async dimensions(call: ErpCall): Promise<readonly MasterDimension[] | undefined> {
    return (await this.companies.facts(call)) && this.masterData.dimensions(call);
  }

  override async vendors(call: ErpCall): Promise<MasterVendorList | undefined> {
    const facts = await this.companies.facts(call);
    return (
      facts && {
        functionalCurrency: facts.functionalCurrency,
        vendors: await this.masterData.vendors(call),
      }
    );
  }
}
