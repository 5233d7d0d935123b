import { expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// What connecting leaves in the audit log: each step, and nothing that is secret.

const harness = startedOnce(() => ConnectHarness.start());

it('every step of connecting is recorded, with the actor, and without a secret', async () => {
  const company = harness.platform.addCompany();
  const apiKey = harness.platform.addApiKey(companyUrn(company.id), 'bearer');
  const { json } = await harness.call('POST', '/api/v1/operator/installations', {
    token: OPERATOR_TOKEN,
    body: { apiKey, companyId: company.id },
  });
  const id = String(at(json, 'installationId'));
  await harness.finish(id);
  const { rows } = await harness.admin.query<{ text: string; step: string; state: string | null }>(
    `SELECT entry::text AS text, concat_ws(' ', object, action, 'by', actor) AS step, after ->> 'state' AS state
     FROM audit_entry entry WHERE installation_id = $1 ORDER BY position`,
    [id],
  );
  expect(rows.map(({ step }) => step)).toEqual([
    'installation created by operator',
    'data_key created by operator',
    'credential created by operator',
    'subscription created by system reserve endpoint',
    'subscription changed by system confirm subscription',
    'subscription changed by system subscription maintained',
    'installation changed by system activate installation',
  ]);
  expect(rows.map(({ state }) => state).filter((state) => state !== null)).toEqual(['authorized', 'active']);
  const secrets = [apiKey, ...[...harness.platform.subscriptions.values()].map(({ secret }) => secret), 'v2.'];
  expect(secrets.length).toBeGreaterThan(2);
  for (const secret of secrets) {
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  }
});
