// The suite against a platform that runs already; run.mjs says where, and what may be done there.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connected } from './authorization.js';
import type { ConformanceRow, RowNeed } from './conformance-row.js';
import { CONFORMANCE_ROWS } from './conformance-rows.js';
import { at, Platform, Sandbox, type PlatformAddress } from './platform.js';

interface ConformanceOptions {
  readonly address: PlatformAddress;
  readonly write: boolean;
  readonly control: boolean;
  /** Rows with these words; empty: all. */
  readonly only: string;
}

const { CONFORMANCE = '{}' } = process.env;
const { address, write, control, only } = JSON.parse(CONFORMANCE) as ConformanceOptions;
const { url, token, entryIds, application, narrowToken, listening } = address;
const platform = new Platform(address, control ? new Sandbox(url, []) : undefined);
const exports = entryIds.length > 0;
const allowed: Readonly<Record<RowNeed, boolean>> = {
  read: true,
  write,
  export: exports,
  client: control || application !== undefined,
  grant: control || application?.approved !== undefined,
  narrow: narrowToken !== undefined,
  webhook: control || (exports && listening !== undefined),
  sandbox: control,
};
/** What would unlock a row; `skipped-rows.mjs` counts them. */
const OPTIONS: Readonly<Record<RowNeed, string>> = {
  read: '',
  write: '--write',
  export: '--entries',
  client: '--client',
  grant: '--authorize or --refresh-token',
  narrow: '--narrow-token',
  webhook: '--webhook-listen with --entries',
  sandbox: '--control',
};
// An access token is a JWT: three parts with dots between them (P0.3).
const isApiKey = token.split('.').length !== 3;
const narrowScopes = narrowToken === undefined ? [] : await scopesOf(narrowToken);

async function scopesOf(credential: string): Promise<readonly string[]> {
  const { body } = await platform.call('GET', '/v1/introspect', { authorization: `Bearer ${credential}` });
  return String(at(body, 'data', 'scope')).split(' ');
}

/** @returns why a row is not judged */
function obstacle({ needs, onlyFor, notWith = [] }: ConformanceRow): string | undefined {
  if (!allowed[needs]) {
    return OPTIONS[needs];
  }
  if (onlyFor === 'api-key' && !isApiKey) {
    return 'an API key as --token';
  }
  return notWith.some((scope) => narrowScopes.includes(scope)) ? '--narrow-token with fewer scopes' : undefined;
}

// A code is good for a minute or so. When its exchange fails, the rows that need it say so.
beforeAll(async () => {
  if (!control && application?.approved !== undefined) {
    await connected(platform).catch(() => undefined);
  }
});
afterEach(() => platform.cleanUp());

const areas = CONFORMANCE_ROWS.map(([area, rows]) => [area, rows.filter(({ fact }) => fact.includes(only))] as const);
if (areas.every(([, rows]) => rows.length === 0)) {
  throw new Error(`--only: no row has the words “${only}”`);
}

describe.each(areas.filter(([, rows]) => rows.length > 0))('%s', (_area, rows) => {
  for (const row of rows) {
    const missing = obstacle(row);
    const judge = missing === undefined ? it : it.skip;
    judge(`${row.fact} [${row.source}]${missing === undefined ? '' : ` (${missing})`}`, async () => {
      expect(await row.observe(platform)).toEqual(row.expected);
    });
  }
});
