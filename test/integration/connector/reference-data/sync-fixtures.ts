import { randomUUID } from 'node:crypto';
import type {
  MasterAccount,
  MasterDimension,
  MasterVendor,
} from '../../../../src/connector/bookkeeping/item/master-data.js';
import type { SyncSources } from './sync-harness.js';

export const account = (externalId: string, changes: Partial<MasterAccount> = {}): MasterAccount => ({
  externalId,
  code: externalId,
  name: `Account ${externalId}`,
  active: true,
  ...changes,
});
export const dimension = (code: string, values: readonly string[], active = true): MasterDimension => ({
  code,
  name: code,
  active,
  values: values.map((each) => ({ code: each, name: each, active: true })),
});
export const vendor = (number: string, changes: Partial<MasterVendor> = {}): MasterVendor => ({
  number,
  name: `Vendor ${number}`,
  isEmployee: false,
  usable: true,
  ...changes,
});

/** Both sides empty and in good health. */
export function clearSources(sides: SyncSources): void {
  const { platform, master, erp } = sides;
  for (const rows of [platform.accounts, platform.taxCodes, platform.groups, platform.tags, platform.vendors]) {
    rows.clear();
  }
  sides.restore();
  platform.mostActiveGroups = 5;
  platform.mostActiveTags = 10_000;
  platform.calls.length = 0;
  master.accountRows = [];
  master.taxCodeRows = [];
  master.dimensionRows = [];
  master.vendorRows = [];
  master.isThere = true;
  erp.reset();
}

/** A vendor that a person has created on the platform. @returns its id */
export function addDraft({ platform }: Pick<SyncSources, 'platform'>, name: string, changes: object = {}): string {
  const id = randomUUID();
  platform.vendors.set(id, {
    id,
    state: 'DRAFT',
    name,
    defaultCurrency: 'EUR',
    code: null,
    externalId: null,
    country: 'UNDEFINED',
    registrationNumber: null,
    taxRegistrationNumber: null,
    ...changes,
  });
  return id;
}
