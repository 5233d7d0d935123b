import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClearOldAddresses } from '../../../../src/connector/audit/clear-old-addresses.js';
import { sha256Hex } from '../../../../src/foundation/crypto/sha256.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { tenantTables } from '../isolation/fingerprint.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';

// Data that leaves an installation as a file leaves an entry: who, how much, to which address.

const harness = startedOnce(() =>
  ConnectHarness.start({ CONNECTOR_TRUSTED_PROXIES: '127.0.0.1', CONNECTOR_ADDRESS_DAYS: '90' }),
);
let id: string;
let token: string;

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly after: Readonly<Record<string, unknown>>;
}

beforeAll(async () => {
  id = await harness.connect(companyUrn(harness.platform.addCompany().id));
  token = await harness.token(id);
  await harness.admin.query(`
    BEGIN;
    INSERT INTO mapping_version (installation_id, version, settings, author, created_at, rule_count)
      VALUES ('${id}', 1, '{}', 'me', now(), 2);
    INSERT INTO mapping_rule (installation_id, id, from_version, subject, source, target, identity)
      SELECT '${id}', n, 1, 'account', n::text, '6110', sha256(n::text::bytea) FROM generate_series(1, 2) n;
    UPDATE installation SET erp_company_id = 'erp' WHERE id = '${id}';
    COMMIT`);
});

async function entries(): Promise<readonly Entry[]> {
  const { rows } = await harness.admin.query<Entry>(
    `SELECT actor, action, after FROM audit_entry WHERE installation_id = $1 AND object = 'download' ORDER BY position`,
    [id],
  );
  return rows;
}

/** What a download adds to the audit log, once its end is there. */
async function entriesAfter(before: number, count: number): Promise<readonly Entry[]> {
  let found = await entries();
  while (found.length < before + count) {
    await new Promise((resolve) => setImmediate(resolve));
    found = await entries();
  }
  return found.slice(before);
}

const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/);
const from = { 'x-forwarded-for': '203.0.113.7' };
const byToken = expect.stringMatching(/^token [0-9a-f-]{36}$/);

describe('a download', () => {
  it.each([
    ['/api/v1/mapping/rules/export?format=csv', '/api/v1/mapping/rules/export', 2],
    ['/api/v1/mapping/rules/export?format=json', '/api/v1/mapping/rules/export', 2],
    ['/api/v1/month-ends/2026-10?format=csv', '/api/v1/month-ends/:month', 0],
    ['/api/v1/month-ends/2026-10?format=json', '/api/v1/month-ends/:month', 0],
    ['/api/v1/month-ends/2026-10?format=html', '/api/v1/month-ends/:month', 0],
    ['/api/v1/month-ends/2026-10?format=xlsx', '/api/v1/month-ends/:month', 0],
  ])('of %s is recorded with its caller, rows and address', async (url, route, rows) => {
    const before = (await entries()).length;
    expect((await harness.call('GET', url, { token, headers: from })).status).toBe(200);
    expect((await entries()).slice(before)).toEqual([
      {
        actor: byToken,
        action: 'created',
        after: { route: `GET ${route}`, from_ip_digest: DIGEST, row_count: rows, is_complete: true },
      },
    ]);
  });

  it('is not what a page shows of a month end', async () => {
    const before = (await entries()).length;
    expect((await harness.call('GET', '/api/v1/month-ends/2026-10', { token, headers: from })).status).toBe(200);
    expect((await entries()).slice(before)).toEqual([]);
  });

  it('of all data is recorded before its first byte, and with its rows at its end', async () => {
    const before = (await entries()).length;
    const { json } = await harness.call('GET', '/api/v1/installation/export', { token, headers: from });
    const { tables } = json as { readonly tables: Readonly<Record<string, readonly unknown[]>> };
    const rows = Object.values(tables).reduce((sum, table) => sum + table.length, 0);
    const [started, ended] = await entriesAfter(before, 2);
    const route = 'GET /api/v1/installation/export';
    expect(started).toMatchObject({
      actor: byToken,
      action: 'created',
      after: { route, from_ip_digest: DIGEST, row_count: null, is_complete: null },
    });
    expect(ended).toEqual({ actor: byToken, action: 'changed', after: { row_count: rows, is_complete: true } });
    expect(rows).toBeGreaterThan(10);
  });

  it('by the operator names the operator', async () => {
    const before = (await entries()).length;
    await harness.call('GET', `/api/v1/operator/installations/${id}/export`, { token: OPERATOR_TOKEN });
    expect((await entriesAfter(before, 2)).map(({ actor, action }) => [actor, action])).toEqual([
      ['operator', 'created'],
      ['operator', 'changed'],
    ]);
  });

  it('that is cut off is recorded as such, with the rows that were read', async () => {
    await harness.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
       SELECT $1, n, json_build_object('long', repeat('x', 10000)), 'me', now() FROM generate_series(10, 3009) n`,
      [id],
    );
    const before = (await entries()).length;
    await harness.connector.app.listen(0, '127.0.0.1');
    const { port } = harness.connector.app.getHttpServer().address() as AddressInfo;
    await new Promise<void>((resolve, reject) => {
      get({ port, path: '/api/v1/installation/export', headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      }).once('error', reject);
    });
    const [, ended] = await entriesAfter(before, 2);
    expect(ended).toMatchObject({ actor: byToken, after: { is_complete: false } });
    expect(ended?.after['row_count']).toBeGreaterThan(0);
    expect(ended?.after['row_count']).toBeLessThan(3_000);
  });

  it('that is refused is not recorded', async () => {
    const before = (await entries()).length;
    const viewer = await harness.token(id, 'viewer');
    await harness.call('GET', '/api/v1/installation/export', { token: viewer });
    await harness.call('GET', '/api/v1/month-ends/never', { token });
    expect(await entries()).toHaveLength(before);
  });
});

describe('the network address of a download', () => {
  const download = async (address: string, days: number) => {
    const headers = { 'x-forwarded-for': address };
    await harness.call('GET', '/api/v1/mapping/rules/export?format=csv', { token, headers });
    const { rows } = await harness.admin.query<{ id: string; salt: string; digest: string }>(
      `UPDATE download SET started_at = now() - make_interval(days => $2) WHERE from_ip = $1
       RETURNING id, from_ip_salt AS salt, from_ip_digest AS digest`,
      [address, days],
    );
    return rows[0] ?? { id: '', salt: '', digest: '' };
  };
  const shown = async (objectId: string) => {
    const { json } = await harness.call('GET', `/api/v1/audit?object=download&objectId=${objectId}`, { token });
    const [entry] = at(json, 'data') as readonly {
      address: string | null;
      hash: string;
      after: { from_ip_digest: string };
    }[];
    return entry;
  };
  const rowsWith = async (address: string) => {
    let count = 0;
    for (const table of await tenantTables(harness.admin)) {
      count +=
        (await harness.admin.query(`SELECT FROM ${table} t WHERE strpos(t::text, $1) > 0`, [address])).rowCount ?? 0;
    }
    return count;
  };

  it('is shown with its entry and deleted after its retention, in every table; the audit log stays unchanged', async () => {
    const [old, young] = [await download('203.0.113.91', 91), await download('203.0.113.89', 89)];
    const before = await shown(old.id);
    expect([before?.address, before?.after.from_ip_digest]).toEqual(['203.0.113.91', old.digest]);
    expect(sha256Hex(`${old.salt}203.0.113.91`)).toBe(old.digest);
    await harness.get(ClearOldAddresses).clearOld();
    expect([await rowsWith('203.0.113.91'), await rowsWith(old.salt)]).toEqual([0, 0]);
    expect(await shown(old.id)).toEqual({ ...before, address: null });
    expect((await shown(young.id))?.address).toBe('203.0.113.89');
    expect((await harness.call('GET', '/api/v1/audit/verification', { token })).json).toMatchObject({ intact: true });
    const { json } = await harness.call('GET', '/api/v1/installation/export', { token });
    const exported = at(json, 'tables', 'download') as readonly { id: string; from_ip: string | null }[];
    expect(exported.find(({ id: each }) => each === young.id)).toMatchObject({
      from_ip: '203.0.113.89',
      from_ip_salt: young.salt,
    });
    expect(exported.find(({ id: each }) => each === old.id)).toMatchObject({ from_ip: null, from_ip_salt: null });
  });
});

describe('every route that serves a file', () => {
  const folder = 'src/connector';
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')] as const);

  it('is a declared download', () => {
    const controllers = sources.filter(([file]) => file.endsWith('.controller.ts'));
    const methods = controllers.flatMap(([file, text]) =>
      [...text.matchAll(/\n\n {2}(?:\/\*\*|@).*?\n {2}\}\n/gs)]
        .map(([method]) => method)
        .filter((method) => method.includes('StreamableFile'))
        .map((method) => [file, method.includes('@Download()')]),
    );
    expect(methods.length).toBeGreaterThanOrEqual(4);
    expect(methods.filter(([, declared]) => declared !== true)).toEqual([]);
  });

  it('creates it by one function, whose responses are refused elsewhere', () => {
    const makers = sources.filter(([, text]) => /new StreamableFile|content-disposition/i.test(text));
    expect(makers.map(([file]) => file)).toEqual(['api/downloads/file-download.ts']);
  });

  it('is found: every route whose documented response is not JSON', async () => {
    const { json } = await harness.call('GET', '/api/openapi.json');
    const { paths } = json as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { content?: object }>> }>>>
      >;
    };
    const files = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods)
        .filter(({ responses }) =>
          Object.keys(responses['200']?.content ?? {}).some((type) => type !== 'application/json'),
        )
        .map(() => path),
    );
    // The pages about problems are the same for all callers, and events have no end that could be counted.
    expect(files.filter((path) => path.startsWith('/api/')).sort()).toEqual([
      '/api/v1/erp-batches/{number}',
      '/api/v1/erp-batches/{number}/receipt-list',
      '/api/v1/erp-batches/{number}/receipts',
      '/api/v1/events',
      '/api/v1/mapping/rules/export',
      '/api/v1/month-ends/{month}',
    ]);
  });
});
