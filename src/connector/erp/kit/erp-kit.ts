// `erp-export-connector/erp-kit`: everything an adapter is written with, and nothing else of the connector.
export { z } from 'zod';
export type { Clock } from '../../../kernel/clock.js';
export { currencyDigits, parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
export {
  toErpAccountId,
  toErpCompanyId,
  toErpTaxCodeId,
  toErpVendorId,
  type ErpAccountId,
  type ErpCompanyId,
  type ErpTaxCodeId,
  type ErpVendorId,
} from '../../../kernel/ids.js';
export type { JsonValue } from '../../../kernel/json.js';
export { addDays, localDateIn, parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
export { formatMinor } from '../../../kernel/money.js';
export { cutText } from '../../../kernel/text.js';
export type {
  ErpAccount,
  ErpDimension,
  ErpPeriod,
  ErpTaxCode,
  ErpVendor,
  ExchangeRate,
} from '../../bookkeeping/item/bookkeeping-context.js';
export type { ItemVendor } from '../../bookkeeping/item/export-item.js';
export type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterValue,
  MasterVendor,
  MasterVendorList,
} from '../../bookkeeping/item/master-data.js';
export type { EntryRole, PlannedEntry, PlannedLine, SettlementIntent } from '../../bookkeeping/item/posting-plan.js';
export type { CallScope, ErpCall } from '../erp-call.js';
export * from '../erp-ledger.js';
export { ErpReferenceData } from '../erp-reference-data.js';
export { addressSetting } from './address-setting.js';
export type { ErpCapabilities } from './capabilities.js';
export {
  defineErp,
  ERP_API_VERSION,
  textSetting,
  type ConnectedAdapter,
  type ErpContext,
  type ErpDefinition,
  type ErpOAuth,
  type ErpOAuthServer,
  type ErpSettings,
} from './define-erp.js';
export type { ErpBatch, ErpBatches, ErpBatchesClosed, ErpBatchReceipts } from './erp-batches.js';
export type { ErpFacts, ErpPermission } from './erp-facts.js';
export type { ErpHttp, ErpHttpOptions, ErpRequest, WriteResult } from './erp-http.js';
export type { ErpStore, StoreChange, StoredValue } from './erp-store.js';
export { countRows } from './lists-in-memory.js';
export { together } from './step-machine.js';
export { StepLedger, type Days, type Drafts, type LedgerSteps } from './step-ledger.js';
export type { ShownEntry, StepRecord } from './step-records.js';
export { entryMark, parseEntryMark, type EntryMark } from './entry-mark.js';
export { listedMasterData } from './listed-master-data.js';
export { currency, day, readMinor } from './wire-values.js';
