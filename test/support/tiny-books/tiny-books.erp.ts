// Tiny Books as an ERP of the connector. A voucher is created as a draft, gets its lines one by one, and counts once it is
// booked. It has a reference of ours (`ref`), by which vouchers are found and which need not be unique, and a memo.
import * as kit from 'erp-export-connector/erp-kit';

const { z } = kit;
const COMPANY = kit.toErpCompanyId('tiny');
const COST_CENTER = 'CC';
const [FIRST_DAY, LAST_DAY] = ['1900-01-01' as kit.LocalDate, '2999-12-31' as kit.LocalDate];

const CAPABILITIES: kit.ErpCapabilities = {
  uniqueKey: { kind: 'none' },
  search: { kind: 'immediate' },
  requestMayTakeMs: 1_000,
  // Of the requests of a post one books all vouchers of a group.
  atomicity: 'group',
  documents: 'none',
  tax: 'posted',
  payablesNeedVendor: false,
  settlement: false,
  reversal: true,
  drafts: false,
  dimensions: true,
  rates: false,
  vendorCreation: false,
  limits: {
    groupsPerCall: 10,
    linesPerEntry: 100,
    textLength: 200,
    concurrentRequests: 4,
    requestsPerMinute: undefined,
    requestsPerGroup: 8,
  },
};

export const tinyBooks = kit.defineErp({
  id: 'tiny-books',
  name: 'Tiny Books',
  apiVersion: kit.ERP_API_VERSION,
  connection: {
    schema: {
      type: 'object',
      required: ['url', 'apiKey'],
      additionalProperties: false,
      properties: {
        url: { type: 'string', format: 'uri', title: 'Address' },
        apiKey: { type: 'string', minLength: 8, title: 'API key' },
      },
    },
    secrets: ['apiKey'],
  },
  capabilities: () => CAPABILITIES,
  systemOf: (settings) => kit.addressSetting(settings, 'url'),
  create({ settings, http, clock }) {
    const baseUrl = kit.addressSetting(settings, 'url');
    const headers = () => ({ 'x-api-key': kit.textSetting(settings, 'apiKey') });
    const messageOf = (body: unknown) => z.object({ message: z.string() }).safeParse(body).data?.message;
    const api = new TinyApi(http({ baseUrl, name: 'Tiny Books', headers, messageOf }), baseUrl);
    const referenceData = new TinyLists(api);
    return { ledger: new TinyLedger(api, referenceData, clock), referenceData };
  },
});

// What Tiny Books says. A response of another shape is no response.

const [text, maybe] = [z.string(), z.string().nullable()];
const { day, currency } = kit;
const companySchema = z.object({ name: text, currency, timeZone: text, lockedUntil: day });
const rowSchema = z.object({ code: text, name: text, closed: z.boolean() });
const lineSchema = z.object({
  account: text,
  amount: text,
  base: text,
  supplier: maybe,
  vat: maybe,
  costCenter: maybe,
  person: maybe,
});
const headerSchema = z.object({
  date: day,
  currency,
  ref: text,
  memo: text,
  text,
  documentNo: maybe,
  reverses: z.int().nullable(),
});
const draftSchema = headerSchema.extend({ lines: z.array(lineSchema) });
const voucherSchema = draftSchema.extend({ id: z.int(), number: z.int().nullable() });
type Voucher = kit.z.output<typeof voucherSchema>;
type Draft = kit.z.output<typeof draftSchema>;

class TinyApi {
  constructor(
    private readonly http: kit.ErpHttp,
    readonly url: string,
  ) {}

  company(scope: kit.CallScope) {
    return this.read(scope, companySchema, { method: 'GET', path: '/company' });
  }

  page<Row>(
    scope: kit.CallScope,
    row: kit.z.ZodType<Row>,
    path: string,
    offset: number,
    filter: Record<string, string>,
  ) {
    const query = new URLSearchParams({ ...filter, offset: offset.toString() });
    return this.read(scope, z.object({ rows: z.array(row), more: z.boolean() }), { method: 'GET', path, query });
  }

  /** A list to its end. */
  async list<Row>(scope: kit.CallScope, row: kit.z.ZodType<Row>, path: string, filter: Record<string, string> = {}) {
    const all: Row[] = [];
    for (;;) {
      const page = await this.page(scope, row, path, all.length, filter);
      all.push(...page.rows);
      if (!page.more) return all;
      if (page.rows.length === 0) throw unavailable(`${path} does not end`);
    }
  }

  post<T>(call: kit.ErpCall, schema: kit.z.ZodType<T>, path: string, body: unknown) {
    return this.http.write(call, schema, { method: 'POST', path, body });
  }

  private async read<T>(scope: kit.CallScope, schema: kit.z.ZodType<T>, request: kit.ErpRequest): Promise<T> {
    const found = await this.http.read(scope, schema, request);
    if (found === undefined) throw unavailable(`there is no ${request.path}`);
    return found;
  }
}

class TinyLists extends kit.ErpReferenceData {
  constructor(private readonly api: TinyApi) {
    super();
  }

  async accounts(call: kit.ErpCall) {
    const rows = await this.rows(call, '/accounts');
    return rows?.map((row) => ({ ...row, externalId: row.code }));
  }

  async taxCodes(call: kit.ErpCall) {
    const rows = await this.rows(call, '/vat-codes');
    return rows?.map((row) => ({ ...row, rate: (parseInt(row.name) / 100).toFixed(2) }));
  }

  async dimensions(call: kit.ErpCall) {
    const values = await this.rows(call, '/cost-centers');
    return values && [{ code: COST_CENTER, name: 'Cost center', active: true, values }];
  }

  async vendors(call: kit.ErpCall) {
    const rows = await this.rows(call, '/suppliers');
    const vendors = rows?.map(({ code, name, active }) => ({ number: code, name, isEmployee: false, usable: active }));
    return vendors && { functionalCurrency: (await this.api.company(call)).currency, vendors };
  }

  /** Closed ones too: what is missing from a list is archived on the platform. */
  private async rows(call: kit.ErpCall, path: string) {
    if (call.company !== COMPANY) return undefined;
    const rows = await this.api.list(call, rowSchema, path);
    return rows.map(({ code, name, closed }) => ({ code, name, active: !closed }));
  }
}

/** A voucher that was written from here. */
interface TinyRecord extends kit.StepRecord {
  readonly voucher: Voucher;
}

class TinySteps implements kit.LedgerSteps<Draft, TinyRecord> {
  constructor(private readonly api: TinyApi) {}

  async find(call: kit.ErpCall, keys: readonly string[]) {
    if (keys.length === 0) return [];
    const vouchers = await this.api.list(call, voucherSchema, '/vouchers', { refs: keys.join(',') });
    const reversed = new Set(vouchers.filter(({ number }) => number !== null).map(({ reverses }) => reverses));
    return vouchers.flatMap((voucher) => recordsOf(voucher, reversed.has(voucher.id), this.api.url));
  }

  async findLeftOver(call: kit.ErpCall, before: Date) {
    const left = await this.api.list(call, voucherSchema, '/vouchers', { draftsBefore: before.toISOString() });
    return left.flatMap((voucher) => recordsOf(voucher, false, this.api.url)).map(({ id }) => id);
  }

  drafts(_call: kit.ErpCall, groups: readonly kit.PostingGroup[]) {
    return Promise.resolve(groups.map((group) => ({ drafts: draftsOf(group) })));
  }

  reversals(_call: kit.ErpCall, records: readonly (readonly TinyRecord[])[]) {
    const negated = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
    const reversal = ({ voucher }: TinyRecord): Draft => ({
      ...voucher,
      text: `Reversal of ${String(voucher.number)}`,
      reverses: voucher.id,
      lines: voucher.lines.map((line) => ({ ...line, amount: negated(line.amount), base: negated(line.base) })),
    });
    return Promise.resolve(records.map((some) => ({ drafts: some.map(reversal) })));
  }

  show() {
    return Promise.resolve(shownEntry);
  }

  async page(call: kit.ErpCall, days: kit.Days, after = '0') {
    const filter = { from: days.from, to: days.to };
    const { rows, more } = await this.api.page(call, voucherSchema, '/vouchers', Number(after), filter);
    return {
      ids: rows.map(({ id }) => id.toString()),
      keys: rows.flatMap(({ memo }) => kit.parseEntryMark(memo)?.key ?? []),
      next: more ? (Number(after) + rows.length).toString() : undefined,
    };
  }

  async create(call: kit.ErpCall, works: readonly (readonly Draft[])[]) {
    const results: kit.WriteResult<readonly string[]>[] = [];
    for (const drafts of works) results.push(await this.createAll(call, drafts));
    return results;
  }

  commit(call: kit.ErpCall, ids: readonly string[]) {
    return this.api.post(call, z.object({}), '/bookings', { vouchers: ids.map(Number) });
  }

  remove(call: kit.ErpCall, ids: readonly string[]) {
    return this.api.post(call, z.object({}), '/removals', { vouchers: ids.map(Number) });
  }

  private async createAll(call: kit.ErpCall, drafts: readonly Draft[]): Promise<kit.WriteResult<readonly string[]>> {
    const ids: string[] = [];
    for (const draft of drafts) {
      const created = await this.api.post(call, z.object({ id: z.int() }), '/vouchers', headerSchema.parse(draft));
      if (created.kind !== 'responded') return created;
      const id = created.value.id.toString();
      ids.push(id);
      for (const line of draft.lines) {
        const added = await this.api.post(call, z.object({}), `/vouchers/${id}`, line);
        if (added.kind === 'refused') await this.remove(call, ids);
        if (added.kind !== 'responded') return added;
      }
    }
    return { kind: 'responded', value: ids };
  }
}

class TinyLedger extends kit.StepLedger<Draft, TinyRecord> {
  constructor(
    private readonly api: TinyApi,
    private readonly lists: TinyLists,
    clock: kit.Clock,
  ) {
    super(new TinySteps(api), clock);
  }

  async listCompanies(scope: kit.CallScope) {
    return [{ id: COMPANY, name: (await this.api.company(scope)).name, registrationNumber: undefined }];
  }

  async loadMasterData(call: kit.ErpCall) {
    const { timeZone, lockedUntil } = await this.api.company(call);
    const periods = [
      { name: 'closed', from: FIRST_DAY, to: lockedUntil, open: false },
      { name: 'open', from: kit.addDays(lockedUntil, 1), to: LAST_DAY, open: true },
    ];
    return kit.listedMasterData(this.lists, call, {
      timeZone,
      descriptionLimit: CAPABILITIES.limits.textLength,
      periods,
    });
  }
}

function draftsOf(group: kit.PostingGroup): readonly Draft[] {
  return group.entries.map((entry, index) => ({
    date: entry.postingDate,
    currency: entry.currency,
    ref: group.key,
    memo: kit.entryMark(group, index),
    text: entry.description,
    documentNo: entry.documentNumber ?? null,
    reverses: null,
    lines: entry.lines.map((line) => ({
      account: line.account.code,
      amount: kit.formatMinor(line.amountMinor, entry.currency),
      base: kit.formatMinor(line.baseMinor, entry.functionalCurrency),
      supplier: line.vendor?.code ?? null,
      vat: line.taxCode?.code ?? null,
      costCenter: line.dimensions.find(({ dimension }) => dimension === COST_CENTER)?.value ?? null,
      person: line.employee ?? null,
    })),
  }));
}

/** @returns none for a voucher that was not written from here */
function recordsOf(voucher: Voucher, reversed: boolean, url: string): readonly TinyRecord[] {
  const mark = kit.parseEntryMark(voucher.memo);
  if (mark === undefined) return [];
  const id = voucher.id.toString();
  const number = voucher.number?.toString();
  const reverses = voucher.reverses?.toString();
  const counts = number !== undefined;
  return [
    { ...mark, id, order: voucher.id, number, counts, reverses, reversed, url: `${url}/vouchers/${id}`, voucher },
  ];
}

function shownEntry({ voucher }: TinyRecord): kit.ShownEntry {
  const lines = voucher.lines.map((line): kit.ShownEntry['lines'][number] => ({
    accountCode: line.account,
    amountMinor: kit.readMinor(line.amount, voucher.currency),
    taxCode: line.vat ?? undefined,
    vendorCode: line.supplier ?? undefined,
    dimensions: line.costCenter === null ? {} : { [COST_CENTER]: line.costCenter },
  }));
  return { postingDate: voucher.date, currency: voucher.currency, lines };
}

function unavailable(message: string): kit.ErpUnavailable {
  return new kit.ErpUnavailable({ kind: 'server-error', message: `Tiny Books: ${message}` });
}
