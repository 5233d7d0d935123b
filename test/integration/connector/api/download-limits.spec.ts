import { beforeEach, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// Downloads and verifications leave a process database connections for everything else.

const harness = startedOnce(() => ConnectHarness.start());
let id: string;
let token: string;

beforeEach(async () => {
  id = await harness.connect(companyUrn(harness.platform.addCompany().id));
  token = await harness.token(id);
});

it.each([
  ['a download', 'mapping_version', '/api/v1/installation/export'],
  ['a verification', 'audit_head', '/api/v1/audit/verification'],
])('while %s is under way, another one of the installation is refused', async (_, table, url) => {
  await harness.admin.query('BEGIN');
  await harness.admin.query(`LOCK TABLE ${table}`);
  const first = harness.call('GET', url, { token });
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await harness.admin.query(waiting)).rowCount === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const others = [
    await harness.call('GET', '/api/v1/installation/export', { token }),
    await harness.call('GET', '/api/v1/audit/verification', { token }),
    await harness.call('GET', `/api/v1/operator/installations/${id}/export`, { token: OPERATOR_TOKEN }),
  ];
  await harness.admin.query('COMMIT');
  for (const { status, json, headers } of others) {
    expect([status, at(json, 'type'), headers['retry-after']]).toEqual([409, 'urn:problem:already-under-way', '30']);
  }
  expect((await first).status).toBe(200);
  expect((await harness.call('GET', url, { token })).status).toBe(200);
});
