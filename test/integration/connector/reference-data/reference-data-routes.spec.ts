import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LinkErpCompany } from '../../../../src/connector/erp-connections/link-erp-company.js';
import { ReferenceDataApi } from '../../../../src/connector/platform/reference-data-api.js';
import { createCompany, LEDGER_KEY, startLedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import {
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { message, toStoredText } from '../../../../src/kernel/message.js';
import { FakePlatform } from '../../../support/platform/fake-platform.js';
import { FakeClock } from '../exports/fake-clock.js';
import { addDraft } from './sync-fixtures.js';
import { startedOnce } from '../../../support/started-once.js';

// Reference data as administrators see it. No worker processes the runs here.

const ledger = startedOnce(startLedgerServer);
const platform = new FakePlatform(new FakeClock()).referenceData;
const connector = startedOnce(() =>
  startConnectorApp({ LEDGER_URL: ledger.url, LEDGER_API_KEY: LEDGER_KEY }, undefined, [
    { provide: ReferenceDataApi, useFactory: () => platform },
  ]),
);
let mine: StoredInstallation;
let token: string;
let foreignToken: string;

beforeAll(async () => {
  mine = await storeInstallation(connector, 'Mine');
  token = await newToken(mine);
  foreignToken = await newToken(await storeInstallation(connector, 'Other'));
  const erpCompany = await createCompany(ledger);
  await connector.app.get(LinkErpCompany, { strict: false }).linkCompany(mine.id, erpCompany, 'operator');
});

async function newToken({ id }: StoredInstallation): Promise<string> {
  const answer = await connector.app.inject({
    method: 'POST',
    url: `/api/v1/operator/installations/${id}/api-tokens`,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    payload: { role: 'admin', label: 'test', days: 1 },
  });
  return (JSON.parse(answer.body) as { token: string }).token;
}

async function call(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  {
    body,
    headers = {},
    as = token,
  }: { readonly body?: object; readonly headers?: Record<string, string>; readonly as?: string } = {},
) {
  const answer = await connector.app.inject({
    method,
    url: `/api/v1/reference-data${path}`,
    headers: { ...headers, authorization: `Bearer ${as}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  const json = (answer.body === '' ? {} : JSON.parse(answer.body)) as Record<string, unknown>;
  return { status: answer.statusCode, etag: answer.headers.etag, json };
}

describe('sync runs', () => {
  it('are requested, listed newest first and paged by cursor', async () => {
    const asked = await call('POST', '/runs', { body: { kinds: ['tax-codes', 'accounts', 'tags'] } });
    expect(asked.status).toBe(202);
    const ids = (asked.json['data'] as readonly { readonly id: string }[]).map(({ id }) => id);
    const again = await call('POST', '/runs', { body: { kinds: ['accounts'] } });
    expect(again.json).toMatchObject({
      data: [{ id: ids[1], state: 'requested', isPreview: false, reason: 'person' }],
    });
    const preview = await call('POST', '/runs', { body: { kinds: ['accounts'], preview: true } });
    expect(preview.json).toMatchObject({ data: [{ isPreview: true, durationMs: null }] });

    const first = await call('GET', '/runs?limit=3');
    const next = await call('GET', `/runs?limit=3&after=${String(first.json['nextCursor'])}`);
    const kinds = [first, next].map(({ json }) =>
      (json['data'] as readonly { kind: string }[]).map(({ kind }) => kind),
    );
    expect(kinds).toEqual([['accounts', 'tags', 'accounts'], ['tax-codes']]);
    expect(next.json['nextCursor']).toBeNull();
    expect((await call('GET', '/runs?kind=tags')).json).toMatchObject({
      data: [{ kind: 'tags' }],
      nextCursor: null,
    });
    expect((await call('GET', `/runs/${ids[0] ?? ''}`)).json).toMatchObject({
      kind: 'tax-codes',
      counts: { created: 0 },
      confirmation: null,
    });
    expect((await call('GET', `/runs/${ids[0] ?? ''}/records`)).json).toEqual({ data: [], nextCursor: null });
  });

  it('that wait for a person say what is to be confirmed, and list it by action', async () => {
    const id = randomUUID();
    const failure = toStoredText(message('sync.question.list-loss', { kind: 'vendors', some: 4, all: 12 }));
    await connector.admin.query(
      `INSERT INTO sync_run (installation_id, id, company_id, kind, is_preview, reason, state, requested_at, finished_at,
         next_attempt_at, failure)
       VALUES ($1, $2, gen_random_uuid(), 'vendors', false, 'schedule', 'needs_confirmation', now(), now(), now(), $3)`,
      [mine.id, id, failure],
    );
    await connector.admin.query(
      `INSERT INTO sync_record (installation_id, run_id, seq, subject, action, key, name, outcome)
       SELECT $1, $2, seq, 'vendor', action, 'V-' || seq, 'Vendor', 'planned'
       FROM unnest('{create,archive,archive}'::text[]) WITH ORDINALITY AS planned (action, seq)`,
      [mine.id, id],
    );
    expect((await call('GET', `/runs/${id}`)).json).toMatchObject({
      state: 'needs_confirmation',
      confirmation: { archives: 4, of: 12 },
      failure: expect.stringContaining('no longer has 4 of the 12 vendors'),
    });
    const archived = await call('GET', `/runs/${id}/records?action=archive&limit=1`);
    expect(archived.json).toMatchObject({ data: [{ seq: 2, action: 'archive', outcome: 'planned' }] });
    const rest = await call('GET', `/runs/${id}/records?action=archive&after=${String(archived.json['nextCursor'])}`);
    expect(rest.json).toMatchObject({ data: [{ seq: 3 }], nextCursor: null });
    expect((await call('GET', `/runs/${id}/records?action=delete`)).status).toBe(400);
  });

  it('of another tenant get the same response as unknown runs', async () => {
    const { json } = await call('GET', '/runs');
    const [{ id } = { id: '' }] = json['data'] as readonly { readonly id: string }[];
    for (const path of [`/runs/${id}`, `/runs/${id}/records`]) {
      const foreign = await call('GET', path, { as: foreignToken });
      expect([foreign.status, foreign.json['detail']]).toEqual([404, 'There is no such run.']);
    }
    for (const other of [randomUUID(), 'nonsense']) {
      expect((await call('GET', `/runs/${other}`)).json['detail']).toBe('There is no such run.');
    }
    expect((await call('GET', '/runs', { as: foreignToken })).json).toEqual({ data: [], nextCursor: null });
  });

  it.each([
    [{ kinds: [] }],
    [{ kinds: ['everything'] }],
    [{ kinds: ['tags', 'tags'] }],
    [{ kinds: ['tags'], preview: 'yes' }],
    [{ kinds: ['tags'], installationId: randomUUID() }],
    [{}],
  ])('with %j are a bad request', async (body) => {
    expect((await call('POST', '/runs', { body })).status).toBe(400);
  });

  it.each(['limit=0', 'limit=1001', 'after=forged', 'kind=all'])('with ?%s are a bad request', async (query) => {
    expect((await call('GET', `/runs?${query}`)).status).toBe(400);
  });
});

describe('dimensions', () => {
  const choose = (codes: readonly string[], ifMatch?: string) =>
    call('PUT', '/dimensions', {
      body: { codes },
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });

  it('are chosen with the version that was read', async () => {
    const before = await call('GET', '/dimensions');
    expect([before.status, before.etag]).toEqual([200, '"0"']);
    expect(before.json).toEqual({
      version: 0,
      chosen: null,
      chosenBy: null,
      dimensions: [{ code: 'CC', name: 'Cost centre', active: true, values: 1, isChosen: false }],
    });
    expect((await choose(['CC'])).status).toBe(428);
    expect(await choose(['nothing'], '"0"')).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/codes/0' }] },
    });
    expect(await choose(['cc'], '"0"')).toMatchObject({
      status: 200,
      etag: '"1"',
      json: { version: 1, chosen: ['CC'] },
    });
    expect((await choose([], '"0"')).status).toBe(412);
    expect((await call('GET', '/dimensions')).json).toMatchObject({
      version: 1,
      dimensions: [{ isChosen: true }],
    });
    expect((await call('GET', '/runs?kind=tags')).json).toMatchObject({ data: [{ kind: 'tags' }] });
  });

  it.each([[['A', 'B', 'C', 'D', 'E', 'F']], [['a', 'A']], [['']], [[1]], ['CC']])(
    '%j are a bad request',
    async (codes) => {
      const answer = await call('PUT', '/dimensions', { body: { codes }, headers: { 'if-match': '"1"' } });
      expect(answer.status).toBe(400);
    },
  );

  it('report what is missing while no ERP company is linked', async () => {
    const answer = await call('GET', '/dimensions', { as: foreignToken });
    expect([answer.status, String(answer.json['type'])]).toEqual([409, expect.stringContaining('not-connected')]);
  });
});

describe('vendors that need a decision', () => {
  const decide = (id: string, body: object, as = token) => call('POST', `/vendor-matches/${id}/decision`, { body, as });

  it('are listed and decided once, by their own tenant only', async () => {
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    await connector.runtime.database.inInstallation('wait', mine.id, async (tx) => {
      for (const id of ids) {
        await tx.execute({
          text: `INSERT INTO vendor_match (installation_id, company_id, platform_vendor_id, name, state, reason, changed_at)
            VALUES ($1, $2, $3, 'Paper', 'waiting', 'unknown', now())`,
          values: [mine.id, mine.companyId, id],
        });
      }
    });
    const first = await call('GET', '/vendor-matches?limit=1');
    expect(first.json).toMatchObject({
      data: [{ platformVendorId: ids[0], reason: 'unknown', candidates: [] }],
    });
    const next = await call('GET', `/vendor-matches?limit=1&after=${String(first.json['nextCursor'])}`);
    expect(next.json).toMatchObject({ data: [{ platformVendorId: ids[1] }], nextCursor: null });
    const [id = ''] = ids;
    expect((await decide(id, { decision: 'link', erpVendorNumber: 'V-8' })).status).toBe(422);
    const holder = addDraft({ platform }, 'Stationery', { state: 'ACTIVE', externalId: 'V-7' });
    const taken = await decide(id, { decision: 'link', erpVendorNumber: 'V-7' });
    expect([taken.status, taken.json['type']]).toEqual([422, 'urn:problem:vendor-number-taken']);
    expect(taken.json['errors']).toMatchObject([
      { pointer: '/erpVendorNumber', detail: expect.stringContaining('Stationery has this number') },
    ]);
    platform.vendors.delete(holder);
    expect((await decide(id, { decision: 'link', erpVendorNumber: 'V-7' })).status).toBe(202);
    expect((await decide(id, { decision: 'create' })).status).toBe(404);
    expect((await decide('nonsense', { decision: 'create' })).status).toBe(404);
    const foreign = await call('GET', '/vendor-matches', { as: foreignToken });
    expect(foreign.json).toEqual({ data: [], nextCursor: null });
  });

  it.each([[{ decision: 'link' }], [{ decision: 'merge' }], [{}], [{ decision: 'create', erpVendorNumber: 7 }]])(
    '%j is a bad request',
    async (body) => {
      expect((await decide(randomUUID(), body)).status).toBe(400);
    },
  );
});
