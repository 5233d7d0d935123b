// The ledger's addresses, and its lists, page by page.
import { z } from 'zod';
import { cutText } from '../../../kernel/text.js';
import type { CallScope, ErpCall } from '../erp-call.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { ErpHttp, ErpHttpOptions } from '../kit/erp-http.js';
import { countRows } from '../kit/lists-in-memory.js';
import { problemSchema } from './ledger-wire.schema.js';

const PAGE_ROWS = 1_000;
/** A list with more pages is treated as endless. */
const MAX_PAGES = 1_000;
const MAX_MESSAGE_LENGTH = 500;

/**
 * @param url address of the ledger, without trailing slash
 * @param apiKey empty after a sign-in, whose token each request bears
 */
export function ledgerHttpOptions(url: string, apiKey: string): ErpHttpOptions {
  return {
    baseUrl: url,
    name: 'the ledger',
    headers: () => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    messageOf(body) {
      const problem = problemSchema.safeParse(body);
      return problem.success ? cutText(problem.data.detail, MAX_MESSAGE_LENGTH) : undefined;
    },
  };
}

export function companyPath({ company }: Pick<ErpCall, 'company'>): string {
  return `/companies/${encodeURIComponent(company)}`;
}

/**
 * Reads a list to its end.
 * @param filter query parameters
 * @returns undefined when the ledger responds with 404
 * @throws ErpUnavailable also when the list does not end
 */
export async function readAll<Schema extends z.ZodType>(
  http: ErpHttp,
  scope: CallScope,
  schema: Schema,
  path: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<readonly z.output<Schema>[] | undefined> {
  const page = z.object({ data: z.array(schema), nextCursor: z.string().nullable() });
  const rows: z.output<Schema>[] = [];
  const query = new URLSearchParams({ ...filter, limit: PAGE_ROWS.toString() });
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const response = await http.read(scope, page, { method: 'GET', path, query });
    if (response === undefined) {
      return undefined;
    }
    countRows(response.data);
    rows.push(...response.data);
    if (response.nextCursor === null) {
      return rows;
    }
    query.set('after', response.nextCursor);
  }
  throw new ErpUnavailable({ kind: 'server-error', message: `the list ${path} of the ledger does not end` });
}

/** As `readAll`. @throws ErpUnavailable also when the list does not exist */
export async function readWhole<Schema extends z.ZodType>(
  http: ErpHttp,
  scope: CallScope,
  schema: Schema,
  path: string,
  filter?: Readonly<Record<string, string>>,
): Promise<readonly z.output<Schema>[]> {
  const rows = await readAll(http, scope, schema, path, filter);
  if (rows === undefined) {
    throw new ErpUnavailable({ kind: 'server-error', message: `the ledger has no ${path}` });
  }
  return rows;
}
