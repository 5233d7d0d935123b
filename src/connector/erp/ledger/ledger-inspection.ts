// Reads the ledger's groups by key and by period, and translates them to the port.
import { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';
import { parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import type { LineTax } from '../../bookkeeping/item/posting-plan.js';
import type { ErpCall } from '../erp-call.js';
import type { InspectedEntry, InspectedGroup, ListedGroup, ListedGroups } from '../erp-books.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath } from './ledger-http.js';

const PAGE_ROWS = '1000';

const text = z.string().max(1_000);
const minor = z
  .string()
  .regex(/^-?\d{1,30}$/)
  .transform(BigInt);

const taxSchema = z
  .object({
    place: z.enum(['input', 'output', 'expense']),
    reverseCharge: z.boolean(),
    rate: text.nullish(),
    deductible: text,
    taxableMinor: minor,
    taxableBaseMinor: minor,
    taxMinor: minor,
    taxBaseMinor: minor,
  })
  .transform(({ rate, ...tax }): LineTax => ({ ...tax, ...(rate != null && { rate }) }));

const entrySchema = z.object({
  id: text,
  role: z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt']),
  state: z.enum(['draft', 'posted', 'reversed', 'discarded']),
  postingDate: text,
  currency: text,
  part: z.int().min(1).optional(),
  settlementOpen: z.boolean().nullish(),
  lines: z.array(
    z.object({
      accountCode: text,
      amountMinor: minor,
      taxCode: text.nullish(),
      tax: taxSchema.nullish(),
      vendorNumber: text.nullish(),
      dimensions: z.record(text, text),
    }),
  ),
});
const inspectedSchema = z.object({
  data: z.array(
    z.object({
      key: text,
      revision: z.int().min(1),
      contentDigest: text,
      entries: z.array(entrySchema).min(1),
    }),
  ),
});
const listedSchema = z.object({
  data: z.array(
    z.object({
      key: text,
      revision: z.int().min(1),
      standing: z.boolean(),
      accountingEntryId: text.nullish(),
      installationId: text.nullish(),
      postingDate: text,
      amountMinor: minor,
      currency: text,
    }),
  ),
  nextCursor: z.string().nullable(),
});

export class LedgerInspection {
  constructor(private readonly http: ErpHttp) {}

  /** @throws ErpUnavailable */
  async inspect(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    const path = `${companyPath(call)}/posting-groups:inspect`;
    const response = await this.http.read(call, inspectedSchema, { method: 'POST', path, body: { keys } });
    if (response === undefined) {
      throw unusable(`the ledger has no company ${call.company}`);
    }
    const groups = response.data.map((group) => ({ ...group, entries: group.entries.map(entryOf) }));
    return Map.groupBy(groups, ({ key }) => key);
  }

  /** @throws ErpUnavailable */
  async list(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    const query = new URLSearchParams({ ...days, limit: PAGE_ROWS });
    if (after !== undefined) {
      query.set('after', after);
    }
    const path = `${companyPath(call)}/posting-groups`;
    const response = await this.http.read(call, listedSchema, { method: 'GET', path, query });
    if (response === undefined) {
      throw unusable(`the ledger has no company ${call.company}`);
    }
    return { groups: response.data.map(listedOf), next: response.nextCursor ?? undefined };
  }
}

function entryOf({ lines, settlementOpen, part = 1, ...entry }: z.output<typeof entrySchema>): InspectedEntry {
  const postingDate = parseLocalDate(entry.postingDate);
  const currency = parseCurrency(entry.currency);
  if (postingDate === undefined || currency === undefined) {
    throw unusable(`the ledger's entry ${entry.id} has a day or a currency that cannot be read`);
  }
  return {
    ...entry,
    postingDate,
    currency,
    settlementOpen: settlementOpen ?? undefined,
    ...(part > 1 && { part }),
    lines: lines.map(({ accountCode, amountMinor, taxCode, tax, vendorNumber, dimensions }) => ({
      accountCode,
      amountMinor,
      taxCode: taxCode ?? undefined,
      ...(tax && { tax }),
      vendorCode: vendorNumber ?? undefined,
      dimensions,
    })),
  };
}

function listedOf(group: z.output<typeof listedSchema>['data'][number]): ListedGroup {
  const currency = parseCurrency(group.currency);
  const postingDate = parseLocalDate(group.postingDate);
  if (currency === undefined || postingDate === undefined) {
    throw unusable(`the ledger's group ${group.key} has a day or a currency that cannot be read`);
  }
  const { accountingEntryId, installationId, ...rest } = group;
  return {
    ...rest,
    currency,
    postingDate,
    accountingEntryId: accountingEntryId ?? undefined,
    installationId: installationId ?? undefined,
  };
}

function unusable(message: string): ErpUnavailable {
  return new ErpUnavailable({ kind: 'server-error', message });
}
