// Tiny Books: the ERP of the tutorial (docs/erp-adapters.md), in memory. A voucher is created, gets its lines one by one, and
// counts once it is booked. It knows no key, and no transaction over several requests.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TinyLine {
  readonly account: string;
  /** Main units of the voucher's currency and of the company's, as decimal text; debit positive. */
  readonly amount: string;
  readonly base: string;
  readonly supplier: string | null;
  readonly vat: string | null;
  readonly costCenter: string | null;
  readonly person: string | null;
}

export interface TinyVoucher {
  readonly id: number;
  readonly createdAt: string;
  readonly date: string;
  readonly currency: string;
  readonly ref: string;
  readonly memo: string;
  readonly text: string;
  readonly documentNo: string | null;
  readonly reverses: number | null;
  readonly lines: TinyLine[];
  /** Given when it is booked. */
  number: number | null;
}

export interface TinyBooks {
  readonly url: string;
  readonly vouchers: readonly TinyVoucher[];
  stop(): Promise<void>;
}

/** What a request is answered with when it is refused: nothing was changed. */
class Refusal extends Error {}

const PAGE_ROWS = 25;
export const API_KEY = 'tiny-key-of-the-tests';
const COMPANY = { name: 'Nordlys ApS', currency: 'EUR', timeZone: 'Europe/Copenhagen', lockedUntil: '2026-01-31' };
const LISTS: Readonly<
  Record<string, readonly { readonly code: string; readonly name: string; readonly closed: boolean }[]>
> = {
  accounts: [
    ...rows({ 1935: 'Wallet', 2440: 'Payables', 5410: 'Travel' }),
    { code: '9999', name: 'Old', closed: true },
    // More than a page.
    ...rows(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`6${(100 + index).toString()}`, 'Costs']))),
  ],
  'vat-codes': rows({ I25: '25 % input VAT' }),
  'cost-centers': rows({ 100: 'Sales' }),
  suppliers: [...rows({ 'V-7': 'Papier GmbH' }), { code: 'V-8', name: 'Gone Ltd', closed: true }],
};

/** @param isAllowed whose requests are taken */
export async function startTinyBooks(
  isAllowed: (request: IncomingMessage) => Promise<boolean> = ({ headers }) =>
    Promise.resolve(headers['x-api-key'] === API_KEY),
): Promise<TinyBooks> {
  const vouchers: TinyVoucher[] = [];
  const server = createServer((request, response) => {
    void Promise.all([bodyOf(request), isAllowed(request)]).then(([body, mayGo]) => {
      const [status, result] = mayGo ? respond(vouchers, request, body) : ([401, {}] as const);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port.toString()}`,
    vouchers,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(vouchers: TinyVoucher[], { method, url }: IncomingMessage, body: unknown): readonly [number, unknown] {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://tiny');
  const [, list = '', id] = pathname.split('/');
  try {
    switch (`${method ?? ''} ${list}`) {
      case 'GET company':
        return [200, COMPANY];
      case 'GET vouchers':
        return [200, page(vouchers.filter(matching(searchParams)), searchParams)];
      case 'POST vouchers':
        return [
          201,
          id === undefined ? create(vouchers, body as TinyVoucher) : addLine(vouchers, id, body as TinyLine),
        ];
      case 'POST bookings':
        return [200, book(vouchers, draftsOf(vouchers, body))];
      case 'POST removals':
        return [200, remove(vouchers, draftsOf(vouchers, body))];
      default:
        return LISTS[list] === undefined ? [404, {}] : [200, page(LISTS[list], searchParams)];
    }
  } catch (error) {
    return error instanceof Refusal ? [422, { message: error.message }] : [500, {}];
  }
}

function matching(query: URLSearchParams): (voucher: TinyVoucher) => boolean {
  const refs = query.get('refs')?.split(',');
  return ({ ref, date, number, createdAt }) =>
    (refs?.includes(ref) ?? true) &&
    date >= (query.get('from') ?? '') &&
    date <= (query.get('to') ?? '9') &&
    (query.get('draftsBefore') === null || (number === null && createdAt < (query.get('draftsBefore') ?? '')));
}

function page<Row>(
  all: readonly Row[],
  query: URLSearchParams,
): { readonly rows: readonly Row[]; readonly more: boolean } {
  const start = Number(query.get('offset') ?? 0);
  return { rows: all.slice(start, start + PAGE_ROWS), more: all.length > start + PAGE_ROWS };
}

function create(vouchers: TinyVoucher[], header: TinyVoucher): { readonly id: number } {
  const id = (vouchers.at(-1)?.id ?? 0) + 1;
  vouchers.push({ ...header, id, createdAt: new Date().toISOString(), lines: [], number: null });
  return { id };
}

function addLine(vouchers: readonly TinyVoucher[], id: string, line: TinyLine): object {
  refuseUnless(usable('accounts', line.account), `Account ${line.account} takes no postings.`);
  refuseUnless(usable('suppliers', line.supplier), `Supplier ${line.supplier ?? ''} takes no postings.`);
  refuseUnless(usable('vat-codes', line.vat) && usable('cost-centers', line.costCenter), 'There is no such code.');
  const voucher = vouchers.find((each) => each.id === Number(id) && each.number === null);
  refuseUnless(voucher !== undefined, `There is no draft ${id}.`);
  voucher?.lines.push(line);
  return {};
}

function draftsOf(vouchers: readonly TinyVoucher[], body: unknown): readonly TinyVoucher[] {
  return (body as { readonly vouchers: readonly number[] }).vouchers.map((id) => {
    const draft = vouchers.find((voucher) => voucher.id === id && voucher.number === null);
    if (draft === undefined) throw new Refusal(`There is no draft ${id.toString()}.`);
    return draft;
  });
}

/** All of them or none. */
function book(vouchers: readonly TinyVoucher[], drafts: readonly TinyVoucher[]): object {
  for (const { date, lines } of drafts) {
    refuseUnless(date > COMPANY.lockedUntil, `The books are closed until ${COMPANY.lockedUntil}.`);
    refuseUnless(lines.length > 0 && isZero(lines, 'amount') && isZero(lines, 'base'), 'The voucher does not balance.');
  }
  for (const draft of drafts) {
    draft.number = vouchers.filter(({ number }) => number !== null).length + 1;
  }
  return {};
}

function remove(vouchers: TinyVoucher[], drafts: readonly TinyVoucher[]): object {
  for (const draft of drafts) {
    vouchers.splice(vouchers.indexOf(draft), 1);
  }
  return {};
}

function refuseUnless(condition: boolean, message: string): void {
  if (!condition) throw new Refusal(message);
}

function usable(list: string, code: string | null): boolean {
  return code === null || LISTS[list]?.some((row) => row.code === code && !row.closed) === true;
}

function isZero(lines: readonly TinyLine[], field: 'amount' | 'base'): boolean {
  return lines.reduce((sum, line) => sum + BigInt(line[field].replace('.', '')), 0n) === 0n;
}

function rows(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([code, name]) => ({ code, name, closed: false }));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
