// The port through which the ERP's master data is read in full, for the platform's users to choose from. Booking needs
// less of it: that is `ErpLedger.loadMasterData`.
import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendorList,
} from '../bookkeeping/item/master-data.js';
import type { ErpCall } from './erp-call.js';

/** Each list is whole: what is not on it is not in the ERP. Each is undefined when the ERP knows no such company. */
export abstract class ErpReferenceData {
  /** @throws ErpUnavailable */
  abstract accounts(call: ErpCall): Promise<readonly MasterAccount[] | undefined>;

  /** @throws ErpUnavailable */
  abstract taxCodes(call: ErpCall): Promise<readonly MasterTaxCode[] | undefined>;

  /** With all their values. @throws ErpUnavailable */
  abstract dimensions(call: ErpCall): Promise<readonly MasterDimension[] | undefined>;

  /** @throws ErpUnavailable */
  abstract vendors(call: ErpCall): Promise<MasterVendorList | undefined>;
}
