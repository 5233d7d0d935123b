import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { reset } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/scripted-platform.js';
import { at, companyUrn, ConnectHarness, type Reply } from './connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// Which company of the ERP an installation may be linked to, and by whom: one credential opens all of them.

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let own: string;
let foreign: string;
let numberless: string;

beforeEach(async () => {
  harness.platform.restore();
  const number = randomUUID();
  // With two companies of the number nothing is linked by itself.
  [own, foreign, numberless] = [`own-${number}`, `foreign-${number}`, `numberless-${number}`];
  harness.platform.addErpCompany(own, number);
  harness.platform.addErpCompany(`twin-${number}`, number.toUpperCase());
  harness.platform.addErpCompany(foreign, randomUUID());
  harness.platform.addErpCompany(numberless, '');
  company = harness.platform.addCompany({ registrationNumber: ` ${number} ` });
  id = await harness.connect(companyUrn(company.id));
});

const linkAsAdmin = async (erpCompanyId: string, of = id) =>
  harness.call('PUT', '/api/v1/erp-company', { token: await harness.token(of), body: { erpCompanyId } });
const linkAsOperator = (erpCompanyId: string, of = id) =>
  harness.call('PUT', `/api/v1/operator/installations/${of}/erp-company`, {
    token: OPERATOR_TOKEN,
    body: { erpCompanyId },
  });
const ended = ({ status, json }: Reply) => [status, at(json, 'type')];
const LINKED = [204, undefined];
const linked = async (of = id) =>
  at(await harness.row('SELECT erp_company_id FROM installation WHERE id = $1', of), 'erp_company_id');
const uninstall = (of: string) =>
  harness.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [of]);

describe('an administrator', () => {
  it('links a company with the same registration number, and one without any', async () => {
    expect(await linked()).toBeNull();
    for (const erpCompanyId of [own, numberless]) {
      expect(ended(await linkAsAdmin(erpCompanyId))).toEqual(LINKED);
      expect(await linked()).toBe(erpCompanyId);
    }
  });

  it('links any free company where the platform has no number, which the audit log records', async () => {
    const nameless = await harness.connect(companyUrn(harness.platform.addCompany().id));
    expect(ended(await linkAsAdmin(foreign, nameless))).toEqual(LINKED);
    const entry = await harness.row(
      `SELECT actor, after ->> 'erp_company_id' AS linked FROM audit_entry
       WHERE installation_id = $1 AND object = 'erp_company_link'`,
      nameless,
    );
    expect(entry).toEqual({ actor: expect.stringMatching(/^token /), linked: foreign });
  });

  it('links none with another number, and does not learn whether it is linked', async () => {
    const refused = [409, 'urn:problem:other-registration-number'];
    expect(ended(await linkAsAdmin(foreign))).toEqual(refused);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    await linkAsAdmin(foreign, other);
    expect(ended(await linkAsAdmin(foreign))).toEqual(refused);
    expect(await linked()).toBeNull();
  });

  it('links none while the platform does not give the company’s number', async () => {
    harness.platform.next(`GET /v1/companies/${company.id}`, reset, reset, reset, reset);
    expect(ended(await linkAsAdmin(own))).toEqual([503, 'urn:problem:platform-unavailable']);
    expect(await linked()).toBeNull();
  });
});

describe('the operator', () => {
  it('links one with another number, which the audit log records', async () => {
    expect(ended(await linkAsOperator(foreign))).toEqual(LINKED);
    const entry = await harness.row(
      `SELECT actor, after ->> 'erp_company_id' AS linked FROM audit_entry
       WHERE installation_id = $1 AND object = 'erp_company_link'`,
      id,
    );
    expect(entry).toEqual({ actor: 'operator', linked: foreign });
  });

  it('links none that is unknown to the ERP or linked already, or for an unknown installation', async () => {
    expect(ended(await linkAsOperator('nobody’s'))).toEqual([422, 'urn:problem:unknown-erp-company']);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    await linkAsAdmin(foreign, other);
    expect(ended(await linkAsOperator(foreign))).toEqual([409, 'urn:problem:erp-company-taken']);
    for (const nobody of [randomUUID(), 'nonsense']) {
      expect(ended(await linkAsOperator(own, nobody))).toEqual([404, 'urn:problem:not-found']);
    }
    await uninstall(id);
    expect(ended(await linkAsOperator(own))).toEqual([404, 'urn:problem:not-found']);
    expect(await linked()).toBeNull();
  });

  it('links none for an installation that is being uninstalled', async () => {
    await harness.admin.query('BEGIN');
    await uninstall(id);
    const linking = linkAsOperator(own);
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
