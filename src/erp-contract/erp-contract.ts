// `erp-export-connector/erp-contract`: what a harness is written with, and the suite for a program that runs it from code.
export { checkHarness, type AdapterReport, type CheckOptions } from './adapter-report.js';
export type { CheckedClause } from './check-contract.js';
export type {
  BookedDocument,
  BookedEntry,
  BookedLine,
  ErpHarness,
  HarnessModule,
  KnownCompany,
  StartedErp,
} from './harness.js';
export type { Passing } from './http-proxy.js';
export { MemoryErpStore } from './memory-erp-store.js';
export { currency, day } from './posting-group.builder.js';
