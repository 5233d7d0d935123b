import { randomUUID } from 'node:crypto';
import { PlatformRefusal } from '../../../src/connector/platform/platform-error.js';
import type { PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import {
  ACCOUNT_BATCH_LIMIT,
  ReferenceDataApi,
  TAG_BULK_LIMIT,
  VENDOR_FILTER_LIMIT,
  type AccountRequest,
  type NewAccountRequest,
  type TagGroupRequest,
  type TagRequest,
  type TaxCodeRequest,
  type VendorFilter,
  type VendorRequest,
} from '../../../src/connector/platform/reference-data-api.js';
import type {
  WireAccount,
  WireAccountBatch,
  WireCompany,
  WireTag,
  WireTagGroup,
  WireTaxCode,
  WireVendor,
} from '../../../src/connector/platform/reference-data.schema.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { unreachableHttp } from './unreachable-http.js';

const PAGE = 100;

/** One request as it would go over the wire. */
export interface ReferenceCall {
  readonly call: string;
  readonly isWrite: boolean;
}

/** The platform's reference data of one company in memory, as strict as its documents (P4 to P8). */
export class FakeReferenceData extends ReferenceDataApi {
  readonly accounts = new Map<string, WireAccount>();
  readonly taxCodes = new Map<string, WireTaxCode>();
  readonly groups = new Map<string, WireTagGroup>();
  /** By group. */
  readonly tags = new Map<string, Map<string, WireTag>>();
  readonly vendors = new Map<string, WireVendor>();
  readonly calls: ReferenceCall[] = [];
  mostActiveGroups = 5;
  mostActiveTags = 10_000;
  /** Runs before a request has its effect; throwing keeps it from happening. */
  before: (call: ReferenceCall) => void = () => undefined;
  /** Runs after the effect; throwing loses the answer. */
  after: (call: ReferenceCall) => void = () => undefined;

  constructor(clock: Clock) {
    super(unreachableHttp(clock));
  }

  get writes(): readonly string[] {
    return this.calls.filter(({ isWrite }) => isWrite).map(({ call }) => call);
  }

  /** Everything but the ids, in an order of its own: two platforms in the same state show the same. */
  shown(): object {
    const sorted = (rows: Iterable<{ readonly id: string }>) =>
      [...rows].map((row) => JSON.stringify({ ...row, id: undefined })).sort();
    return {
      accounts: sorted(this.accounts.values()),
      taxCodes: sorted(this.taxCodes.values()),
      groups: sorted(this.groups.values()),
      tags: [...this.tags]
        .flatMap(([group, tags]) => {
          const of = this.groups.get(group)?.code ?? '';
          return sorted(tags.values()).map((tag) => `${of} ${tag}`);
        })
        .sort(),
      vendors: sorted(this.vendors.values()),
    };
  }

  addTag(groupId: string, tag: TagRequest): void {
    const id = randomUUID();
    this.tagsOf(groupId).set(id, { id, ...tag });
  }

  override listAccounts(): Promise<readonly WireAccount[]> {
    return this.list('accounts', [...this.accounts.values()]);
  }

  override createAccount(_: PlatformAuthorization, _company: string, account: NewAccountRequest): Promise<void> {
    return this.write('create account', () => {
      const found = this.accountBy(account.externalId);
      if (found === undefined) {
        this.insertAccount(account);
        return;
      }
      if (JSON.stringify(sortedFields({ ...account, id: found.id })) !== JSON.stringify(sortedFields(found))) {
        throw refusal(409, 'ACCOUNT_ALREADY_EXISTS');
      }
    });
  }

  override createAccounts(
    _: PlatformAuthorization,
    _company: string,
    items: readonly NewAccountRequest[],
  ): Promise<WireAccountBatch> {
    return this.write('create accounts', () => {
      if (items.length < 1 || items.length > ACCOUNT_BATCH_LIMIT) {
        throw refusal(400, 'VALIDATION_FAILED');
      }
      const fresh = items.filter((item) => this.accountBy(item.externalId) === undefined && item.name !== '');
      const failed = items
        .filter((item) => !fresh.includes(item))
        .map(({ externalId, name }) => ({
          request: { externalId },
          reasons: [name === '' ? 'NAME_EMPTY' : 'EXTERNAL_ID_ALREADY_EXISTS'],
        }));
      fresh.forEach((item) => {
        this.insertAccount(item);
      });
      return { created: fresh.map(({ externalId }) => ({ externalId })), failed };
    });
  }

  override updateAccount(_: PlatformAuthorization, id: string, account: AccountRequest): Promise<void> {
    return this.write('update account', () => {
      const found = this.accounts.get(id);
      const { taxCodeExternalId } = account;
      const codes = [...this.taxCodes.values()].map(({ code }) => code);
      if (found === undefined) {
        throw refusal(404, 'ACCOUNT_NOT_FOUND');
      }
      if (taxCodeExternalId !== null && !codes.includes(taxCodeExternalId)) {
        throw refusal(400, 'VALIDATION_FAILED');
      }
      this.accounts.set(id, { ...found, ...account });
    });
  }

  override listTaxCodes(): Promise<readonly WireTaxCode[]> {
    return this.list('tax codes', [...this.taxCodes.values()]);
  }

  override createTaxCode(_: PlatformAuthorization, _company: string, taxCode: TaxCodeRequest): Promise<void> {
    return this.write('create tax code', () => {
      if (taxCode.type === 'exclusive') {
        throw refusal(400, 'VALIDATION_FAILED');
      }
      const id = randomUUID();
      this.taxCodes.set(id, { id, ...taxCode });
    });
  }

  override updateTaxCode(
    _: PlatformAuthorization,
    _company: string,
    id: string,
    taxCode: TaxCodeRequest,
  ): Promise<void> {
    return this.write('update tax code', () => {
      this.mustHave(this.taxCodes, id);
      this.taxCodes.set(id, { id, ...taxCode });
    });
  }

  override listTagGroups(): Promise<readonly WireTagGroup[]> {
    return this.read('tag groups', () => [...this.groups.values()]);
  }

  override createTagGroup(_: PlatformAuthorization, _company: string, group: TagGroupRequest): Promise<WireTagGroup> {
    return this.write('create tag group', () => {
      this.assertGroups(group.archived ? 0 : 1);
      const made = { id: randomUUID(), ...group };
      this.groups.set(made.id, made);
      return made;
    });
  }

  override updateTagGroup(_: PlatformAuthorization, id: string, group: TagGroupRequest): Promise<void> {
    return this.write('update tag group', () => {
      const found = this.mustHave(this.groups, id);
      this.assertGroups(found.archived && !group.archived ? 1 : 0);
      this.groups.set(id, { id, ...group });
    });
  }

  override listTags(_: PlatformAuthorization, groupId: string): Promise<readonly WireTag[]> {
    return this.list('tags', [...this.tagsOf(groupId).values()]);
  }

  override createTag(_: PlatformAuthorization, groupId: string, tag: TagRequest): Promise<void> {
    return this.write('create tag', () => {
      this.mustHave(this.groups, groupId);
      const tags = [...this.tagsOf(groupId).values()];
      if (tags.some(({ code }) => code === tag.code)) {
        throw refusal(409, 'TAG_ALREADY_EXISTS');
      }
      this.assertTags(groupId, tag.archived ? 0 : 1);
      this.addTag(groupId, tag);
    });
  }

  override updateTag(_: PlatformAuthorization, id: string, tag: TagRequest): Promise<void> {
    return this.write('update tag', () => {
      const groupId = this.groupOf(id);
      const found = this.mustHave(this.tagsOf(groupId), id);
      this.assertTags(groupId, found.archived && !tag.archived ? 1 : 0);
      this.tagsOf(groupId).set(id, { id, ...tag });
    });
  }

  override archiveTags(_: PlatformAuthorization, _company: string, tagIds: readonly string[]): Promise<void> {
    return this.write('archive tags', () => {
      if (tagIds.length < 1 || tagIds.length > TAG_BULK_LIMIT) {
        throw refusal(400, 'VALIDATION_FAILED');
      }
      for (const id of tagIds) {
        const tags = this.tagsOf(this.groupOf(id));
        tags.set(id, { ...this.mustHave(tags, id), archived: true });
      }
    });
  }

  override listVendors(
    _: PlatformAuthorization,
    _company: string,
    { ids = [], states = [], externalIds = [], codes = [] }: VendorFilter = {},
  ): Promise<readonly WireVendor[]> {
    if ([ids, externalIds, codes].some(({ length }) => length > VENDOR_FILTER_LIMIT) || states.length > 4) {
      return Promise.reject(refusal(400, 'VALIDATION_FAILED'));
    }
    const has = (values: readonly string[], value: string | null) =>
      values.length === 0 || (value !== null && values.includes(value));
    return this.list(
      'vendors',
      [...this.vendors.values()].filter(
        (vendor) =>
          has(ids, vendor.id) &&
          has(states, vendor.state) &&
          has(externalIds, vendor.externalId) &&
          has(codes, vendor.code),
      ),
    );
  }

  override createVendor(_: PlatformAuthorization, _company: string, vendor: VendorRequest): Promise<WireVendor> {
    return this.write('create vendor', () => {
      this.assertNumber(vendor.externalId, undefined);
      const made = { ...vendorOf(vendor), id: randomUUID(), state: 'DRAFT' };
      this.vendors.set(made.id, made);
      return made;
    });
  }

  override updateVendor(_: PlatformAuthorization, _company: string, id: string, vendor: VendorRequest): Promise<void> {
    return this.write('update vendor', () => {
      this.mustHave(this.vendors, id);
      this.assertNumber(vendor.externalId, id);
      this.vendors.set(id, { ...vendorOf(vendor), id, state: 'ACTIVE' });
    });
  }

  override activateVendor(
    _: PlatformAuthorization,
    id: string,
    { externalId, code }: { readonly externalId: string; readonly code: string },
  ): Promise<void> {
    return this.write('activate vendor', () => {
      const found = this.mustHave(this.vendors, id);
      this.assertNumber(externalId, id);
      this.vendors.set(id, { ...found, externalId, code, state: 'ACTIVE' });
    });
  }

  override archiveVendor(_: PlatformAuthorization, id: string): Promise<void> {
    return this.write('archive vendor', () => {
      this.vendors.set(id, { ...this.mustHave(this.vendors, id), state: 'ARCHIVED' });
    });
  }

  override listCompanies(): Promise<readonly WireCompany[]> {
    return this.list('companies', []);
  }

  private insertAccount(account: NewAccountRequest): void {
    const id = randomUUID();
    this.accounts.set(id, { id, ...account });
  }

  private accountBy(externalId: string): WireAccount | undefined {
    return [...this.accounts.values()].find((account) => account.externalId === externalId);
  }

  private tagsOf(groupId: string): Map<string, WireTag> {
    const tags = this.tags.get(groupId) ?? new Map<string, WireTag>();
    this.tags.set(groupId, tags);
    return tags;
  }

  private groupOf(tagId: string): string {
    return [...this.tags].find(([, tags]) => tags.has(tagId))?.[0] ?? '';
  }

  private assertGroups(more: number): void {
    const active = [...this.groups.values()].filter(({ archived }) => !archived).length;
    if (more > 0 && active + more > this.mostActiveGroups) {
      throw refusal(400, 'TAG_GROUP_LIMIT_REACHED');
    }
  }

  private assertTags(groupId: string, more: number): void {
    const active = [...this.tagsOf(groupId).values()].filter(({ archived }) => !archived).length;
    if (more > 0 && active + more > this.mostActiveTags) {
      throw refusal(400, 'TAG_LIMIT_REACHED');
    }
  }

  private assertNumber(externalId: string, owner: string | undefined): void {
    if ([...this.vendors.values()].some((each) => each.id !== owner && each.externalId === externalId)) {
      throw refusal(409, 'VENDOR_ALREADY_EXISTS');
    }
  }

  private mustHave<T>(rows: ReadonlyMap<string, T>, id: string): T {
    const row = rows.get(id);
    if (row === undefined) {
      throw refusal(404, 'NOT_FOUND');
    }
    return row;
  }

  /** One request for each page. */
  private async list<T>(call: string, rows: readonly T[]): Promise<readonly T[]> {
    for (let start = 0; start === 0 || start < rows.length; start += PAGE) {
      await this.read(call, () => undefined);
    }
    return rows;
  }

  private read<T>(call: string, answer: () => T): Promise<T> {
    return this.exchange({ call, isWrite: false }, answer);
  }

  private write<T>(call: string, effect: () => T): Promise<T> {
    return this.exchange({ call, isWrite: true }, effect);
  }

  private async exchange<T>(call: ReferenceCall, effect: () => T): Promise<T> {
    // As over a network: the answer is never there at once, and a refusal is a rejection.
    await Promise.resolve();
    this.calls.push(call);
    this.before(call);
    const answer = effect();
    this.after(call);
    return answer;
  }
}

function vendorOf(vendor: VendorRequest): Omit<WireVendor, 'id' | 'state'> {
  const { country = 'UNDEFINED', registrationNumber = null, taxRegistrationNumber = null, ...rest } = vendor;
  return { ...rest, country, registrationNumber, taxRegistrationNumber };
}

function sortedFields(row: object): readonly (readonly [string, unknown])[] {
  return Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
}

function refusal(status: number, type: string): PlatformRefusal {
  return new PlatformRefusal(status, type, `the platform says ${type}`, undefined);
}
