import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startedOnce } from '../../../support/started-once.js';
import { after, respondingWith } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness, type Reply } from './connect-harness.js';

// Whose company of an ERP it is, is proved by the credentials that open it: an administrator links what the installation's
// own connection shows, the operator what the sandbox's ledger has. Registration numbers and ids prove nothing.

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let own: string;

beforeEach(async () => {
  harness.platform.restore();
  const number = randomUUID();
  own = `own-${number}`;
  harness.platform.addErpCompany(own, number);
  company = harness.platform.addCompany({ registrationNumber: number });
  id = await harness.connect(companyUrn(company.id));
});

const KEY = 'a-key-of-the-customer';
const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object, of = id) =>
  harness.call(method, `/api/v1/${path}`, { token: await harness.token(of), ...(body && { body }) });
const linkAsAdmin = (erpCompanyId: string, of = id) => call('PUT', 'erp-company', { erpCompanyId }, of);
const settings = (more: object = {}) => ({ url: harness.platform.url, apiKey: KEY, ...more });
const connect = (of = id, more: object = {}, confirm: object = {}) =>
  call('PUT', 'erp-connection', { kind: 'ledger', settings: settings(more), ...confirm }, of);
const ended = ({ status, json }: Reply) => [status, at(json, 'type')];
// Without a key a person signs in at the ledger: that of another connection is not taken.
const NEEDS_KEY_OR_SIGN_IN = [409, 'urn:problem:erp-sign-in-needed'];
const LINKED = [204, undefined];
const linked = async (of = id) =>
  at(await harness.row('SELECT erp_company_id FROM installation WHERE id = $1', of), 'erp_company_id');
const uninstall = (of: string) =>
  harness.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [of]);

describe('an administrator', () => {
  it('without a connection cannot link a company, nor learn whether an id exists', async () => {
    for (const erpCompanyId of [own, 'nobody’s']) {
      expect(ended(await linkAsAdmin(erpCompanyId))).toEqual([409, 'urn:problem:erp-not-connected']);
    }
    expect(await linked()).toBeNull();
  });

  it('who requests a company that is linked elsewhere gets the same response; owner and operator are notified once a day', async () => {
    expect(ended(await harness.link(id, own))).toEqual(LINKED);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    const claimsOf = (of: string) =>
      harness.row(
        'SELECT count(*)::int AS days, sum(claims)::int AS claims FROM erp_company_claim WHERE installation_id = $1',
        of,
      );
    for (const erpCompanyId of [own, 'nobody’s', own]) {
      const answer = await linkAsAdmin(erpCompanyId, other);
      expect(ended(answer)).toEqual([409, 'urn:problem:erp-not-connected']);
      expect(answer.text).not.toContain(erpCompanyId);
    }
    expect(await claimsOf(id)).toEqual({ days: 1, claims: 2 });
    expect(await claimsOf(other)).toEqual({ days: 0, claims: null });
    // Asking for one's own company again is none.
    await linkAsAdmin(own, id);
    expect(await claimsOf(id)).toEqual({ days: 1, claims: 2 });
  });

  it('links a company that the credentials of the own connection open, recorded in the audit log', async () => {
    const connected = await connect();
    expect([connected.status, at(connected.json, 'data')]).toEqual([
      200,
      expect.arrayContaining([expect.objectContaining({ id: own })]),
    ]);
    expect(ended(await linkAsAdmin('nobody’s'))).toEqual([422, 'urn:problem:unknown-erp-company']);
    expect(ended(await linkAsAdmin(own))).toEqual(LINKED);
    expect(await linked()).toBe(own);
    const { rows } = await harness.admin.query<{ object: string; actor: string }>(
      `SELECT object, actor FROM audit_entry WHERE installation_id = $1 AND object LIKE 'erp_%' ORDER BY position`,
      [id],
    );
    expect(rows.map(({ object }) => object)).toEqual(['erp_connection', 'erp_company_link']);
    expect(rows.every(({ actor }) => actor.startsWith('token '))).toBe(true);
  });

  it('links no company of a connection that another person ends or replaces meanwhile', async () => {
    const companies = respondingWith(200, { data: harness.platform.erpCompanies, nextCursor: null });
    const elsewhere = { url: harness.platform.url.replace('127.0.0.1', 'localhost') };
    for (const change of [() => call('DELETE', 'erp-connection'), () => connect(id, elsewhere)]) {
      await connect();
      harness.platform.next('GET /companies', (response) => {
        after(change(), companies)(response);
      });
      expect(ended(await linkAsAdmin(own))).toEqual([422, 'urn:problem:unknown-erp-company']);
      expect(await linked()).toBeNull();
    }
  });

  it('cannot take a company that another installation posts to', async () => {
    await connect();
    await linkAsAdmin(own);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    await connect(other);
    expect(ended(await linkAsAdmin(own, other))).toEqual([409, 'urn:problem:erp-company-taken']);
    expect(await linked(other)).toBeNull();
  });

  it('can have a company "1" of one ERP while another installation has a company "1" of another', async () => {
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    await connect();
    // The same server under another name is another ERP.
    await connect(other, { url: harness.platform.url.replace('127.0.0.1', 'localhost') });
    expect(ended(await linkAsAdmin(own))).toEqual(LINKED);
    expect(ended(await linkAsAdmin(own, other))).toEqual(LINKED);
  });
});

describe('an ERP connection', () => {
  it('names what is missing', async () => {
    const { status, json } = await call('PUT', 'erp-connection', {
      kind: 'ledger',
      settings: { url: 'ftp://x', apiKey: 'short', a: 1 },
    });
    expect([status, at(json, 'errors')]).toEqual([
      400,
      expect.arrayContaining([
        { pointer: '/settings/apiKey', detail: expect.stringContaining('8 characters') },
        { pointer: '/settings/a', detail: 'is not known' },
        { pointer: '/settings/url', detail: 'is no address (https://…)' },
      ]),
    ]);
    expect((await call('PUT', 'erp-connection', { kind: 'nothing', settings: {} })).status).toBe(400);
  });

  it('is stored only when the ERP accepts the credentials', async () => {
    harness.platform.next('GET /companies', respondingWith(401, {}));
    const refused = await connect();
    expect(ended(refused)).toEqual([422, 'urn:problem:erp-not-accepted']);
    expect(refused.text).not.toContain(KEY);
    expect((await call('GET', 'erp-connection')).status).toBe(404);
  });

  it('shows everything but its secrets, and keeps them when they are left out', async () => {
    await connect();
    const shown = await call('GET', 'erp-connection');
    expect(shown.json).toMatchObject({
      kind: 'ledger',
      state: 'ok',
      settings: { url: harness.platform.url },
      guarantee: 'permanent-key',
    });
    expect(shown.text).not.toContain(KEY);
    const again = await call('PUT', 'erp-connection', {
      kind: 'ledger',
      settings: { url: harness.platform.url, guarantee: { level: 'none' } },
    });
    expect(again.status).toBe(200);
    expect((await call('GET', 'erp-connection')).json).toMatchObject({ guarantee: 'none' });
    for (const incomplete of [{}, { url: 7 }]) {
      const refused = await call('PUT', 'erp-connection', { kind: 'ledger', settings: incomplete });
      expect(ended(refused)).toEqual([400, 'urn:problem:invalid-request']);
    }
    const elsewhere = harness.platform.url.replace('127.0.0.1', 'localhost');
    const sent = await call('PUT', 'erp-connection', { kind: 'ledger', settings: { url: elsewhere } });
    expect(ended(sent)).toEqual(NEEDS_KEY_OR_SIGN_IN);
  });

  it('to another ERP has to be confirmed while a company is linked, and unlinks it', async () => {
    await connect();
    await linkAsAdmin(own);
    const elsewhere = { url: harness.platform.url.replace('127.0.0.1', 'localhost') };
    expect(ended(await connect(id, elsewhere))).toEqual([409, 'urn:problem:not-confirmed']);
    expect(await linked()).toBe(own);
    expect((await connect(id, elsewhere, { confirmChange: true })).status).toBe(200);
    expect(await linked()).toBeNull();
    expect(ended(await linkAsAdmin(own))).toEqual(LINKED);
    // Its companies are distinguished from those of the ERP before.
    expect(await linked()).toBe(`2!${own}`);
  });

  it('that another person ends or replaces while it is changed gets no settings of another ERP', async () => {
    const url = harness.platform.url;
    const elsewhere = { url: url.replace('127.0.0.1', 'localhost') };
    const current = () =>
      harness.row(
        `SELECT generation, settings ->> 'url' AS url FROM erp_connection WHERE installation_id = $1 AND ended_at IS NULL`,
        id,
      );
    const companies = respondingWith(200, { data: harness.platform.erpCompanies, nextCursor: null });
    const meanwhile = (change: () => Promise<Reply>) => {
      harness.platform.next('GET /companies', (response) => {
        after(change(), companies)(response);
      });
    };
    await connect();
    meanwhile(() => connect(id, elsewhere));
    expect((await connect()).status).toBe(200);
    expect(await current()).toEqual({ generation: 1, url });
    meanwhile(() => call('DELETE', 'erp-connection'));
    expect((await connect()).status).toBe(200);
    expect(await current()).toEqual({ generation: 1, url });
    meanwhile(async () => {
      await connect(id, elsewhere);
      return linkAsAdmin(own);
    });
    expect(ended(await connect())).toEqual([409, 'urn:problem:not-confirmed']);
    expect(await current()).toEqual({ generation: 2, ...elsewhere });
  });

  it('is tested with described results, and ended', async () => {
    expect((await call('POST', 'erp-connection/test', {})).status).toBe(404);
    await connect();
    const tested = await call('POST', 'erp-connection/test', {});
    expect(at(tested.json, 'checks')).toEqual([
      { check: 'sign-in', state: 'works', detail: 'The accounting system accepts the credentials.' },
      { check: 'companies', state: 'works', detail: expect.stringMatching(/^The credentials open \d+ compan/) },
    ]);
    const kept = async () => (await call('GET', 'erp-connection')).json;
    expect(await kept()).toMatchObject({
      functionalCurrency: null,
      findings: [
        { check: 'sign-in', state: 'works', at: expect.any(String) },
        { check: 'companies', state: 'works', detail: expect.stringMatching(/^The credentials open \d+ compan/) },
      ],
    });
    await call('POST', 'erp-connection/test', { erpCompanyId: own });
    expect(at(await kept(), 'findings')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'sign-in', state: 'works' }),
        expect.objectContaining({ check: 'accounts', state: 'fails' }),
      ]),
    );
    harness.platform.next('GET /companies', respondingWith(403, {}));
    const refused = await call('POST', 'erp-connection/test', {});
    expect(at(await kept(), 'findings')).toEqual(
      expect.arrayContaining([expect.objectContaining({ check: 'sign-in', state: 'fails' })]),
    );
    expect(at(refused.json, 'checks')).toEqual([
      { check: 'sign-in', state: 'fails', detail: expect.stringContaining('does not accept the credentials') },
    ]);
    expect((await call('DELETE', 'erp-connection')).status).toBe(204);
    expect((await call('DELETE', 'erp-connection')).status).toBe(404);
  });

  it('whose credentials the ERP refuses reports that until they are accepted again', async () => {
    await connect();
    const shown = async (state: string): Promise<unknown> => {
      const { json } = await call('GET', 'erp-connection');
      return at(json, 'state') === state ? json : shown(state);
    };
    harness.platform.next('GET /companies', respondingWith(401, {}));
    expect(ended(await linkAsAdmin(own))).toEqual([503, 'urn:problem:erp-unavailable']);
    expect(await shown('needs-reauthorization')).toMatchObject({ problem: expect.stringContaining('Renew them') });
    expect(ended(await linkAsAdmin(own))).toEqual(LINKED);
    expect(await shown('ok')).toMatchObject({ problem: null, lastSuccessAt: expect.any(String) });
  });

  it('ends with the installation; a later one to the same ERP has the same number, with nothing else kept', async () => {
    await connect();
    await linkAsAdmin(own);
    await harness.admin.query(
      `INSERT INTO erp_value (installation_id, generation, key, version, sealed_value) VALUES ($1, 1, 'last', 1, 'sealed')`,
      [id],
    );
    const remembered = async () => harness.row('SELECT count(*)::int FROM erp_value WHERE installation_id = $1', id);
    const name = new URLSearchParams({ companyName: company.name }).toString();
    expect((await call('DELETE', `installation?${name}`)).status).toBe(200);
    expect([await linked(), await remembered()]).toEqual([null, { count: 0 }]);
    expect(await harness.connect(companyUrn(company.id))).toBe(id);
    expect((await call('GET', 'erp-connection')).status).toBe(404);
    expect((await connect()).status).toBe(200);
    expect(ended(await linkAsAdmin(own))).toEqual(LINKED);
    expect(await linked()).toBe(own);
  });

  it('of another installation can neither be seen nor changed', async () => {
    await connect();
    await linkAsAdmin(own);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    expect((await call('GET', 'erp-connection', undefined, other)).status).toBe(404);
    expect((await call('POST', 'erp-connection/test', { erpCompanyId: own }, other)).status).toBe(404);
    expect((await call('DELETE', 'erp-connection', undefined, other)).status).toBe(404);
    // Secrets that are left out are those of the own connection, and there is none.
    const settings = { url: harness.platform.url };
    const taken = await call('PUT', 'erp-connection', { kind: 'ledger', settings }, other);
    expect(ended(taken)).toEqual(NEEDS_KEY_OR_SIGN_IN);
    expect((await call('GET', 'erp-connection')).status).toBe(200);
    expect(await linked()).toBe(own);
  });
});

describe('the operator', () => {
  it('links a company of the sandbox’s ledger, recorded in the audit log', async () => {
    expect(ended(await harness.link(id, own))).toEqual(LINKED);
    const entry = await harness.row(
      `SELECT actor, after ->> 'erp_company_id' AS linked FROM audit_entry
       WHERE installation_id = $1 AND object = 'erp_company_link'`,
      id,
    );
    expect(entry).toEqual({ actor: 'operator', linked: own });
  });

  it('cannot link a company that is unknown to the ERP or already linked, or for an unknown installation', async () => {
    expect(ended(await harness.link(id, 'nobody’s'))).toEqual([422, 'urn:problem:unknown-erp-company']);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    await harness.link(other, own);
    expect(ended(await harness.link(id, own))).toEqual([409, 'urn:problem:erp-company-taken']);
    for (const nobody of [randomUUID(), 'nonsense']) {
      expect(ended(await harness.link(nobody, own))).toEqual([404, 'urn:problem:not-found']);
    }
    await uninstall(id);
    expect(ended(await harness.link(id, own))).toEqual([404, 'urn:problem:not-found']);
    expect(await linked()).toBeNull();
  });

  it('cannot link a company for an installation that is being uninstalled', async () => {
    await harness.admin.query('BEGIN');
    await uninstall(id);
    const linking = harness.link(id, own);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await harness.admin.query(waiting)).rowCount === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await harness.admin.query('COMMIT');
    expect(ended(await linking)).toEqual([404, 'urn:problem:not-found']);
    expect(await harness.row('SELECT count(*)::int FROM erp_company_link WHERE installation_id = $1', id)).toEqual({
      count: 0,
    });
  });
});
