import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { respondingWith, reset } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// The operator connects a company with an Idempotency-Key: there is no installation yet that the key could belong to
// (D3.13, D3.14).

const INTROSPECTION = 'GET /v1/introspect';

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let apiKey: string;
let key: string;

beforeEach(() => {
  harness.platform.restore();
  company = harness.platform.addCompany();
  apiKey = harness.platform.addApiKey(companyUrn(company.id), 'basic');
  key = randomUUID();
});

const connect = async (body: object = { apiKey }) => {
  const { status, json, headers } = await harness.call('POST', '/api/v1/operator/installations', {
    token: OPERATOR_TOKEN,
    headers: { 'idempotency-key': key },
    body,
  });
  return {
    status,
    type: at(json, 'type'),
    id: at(json, 'installationId'),
    again: headers['idempotency-replayed'],
  };
};
const age = (change: string) => harness.admin.query(`UPDATE operator_idempotency_key SET ${change}`);

describe('connecting with an API key and an Idempotency-Key', () => {
  it('sent again gets the first response without a request to the platform [D3.13]', async () => {
    const first = await connect();
    expect(first).toEqual({ status: 201, type: undefined, id: expect.any(String), again: undefined });
    harness.platform.seen.length = 0;
    expect(await connect()).toEqual({ ...first, again: 'true' });
    expect(harness.platform.calls()).toEqual([]);
  });

  it('of another request is refused [D3.13]', async () => {
    await connect();
    const other = harness.platform.addApiKey(companyUrn(harness.platform.addCompany().id), 'basic');
    expect(await connect({ apiKey: other })).toMatchObject({
      status: 422,
      type: 'urn:problem:idempotency-key-reused',
    });
  });

  it('connects once when many are sent at once [D3.13]', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => connect()));
    expect(answers.filter(({ status, again }) => status === 201 && again === undefined)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  });

  it.each([
    ['a refusal', respondingWith(401, { type: 'UNAUTHORIZED', message: 'no' }), 422],
    ['a platform that was away', reset, 503],
  ])('may be used again after %s', async (_, failing, status) => {
    harness.platform.next(INTROSPECTION, ...Array.from({ length: 8 }, () => failing));
    expect(await connect()).toMatchObject({ status });
    harness.platform.restore();
    expect(await connect()).toMatchObject({ status: 201, again: undefined });
  });

  it('of a killed process is executed again after five minutes, and deleted after a day', async () => {
    const first = await connect();
    await age('begun_at = begun_at - interval $$299 s$$, answer = NULL');
    expect(await connect()).toMatchObject({ status: 409, type: 'urn:problem:idempotency-key-in-use' });
    await age('begun_at = begun_at - interval $$2 s$$');
    expect(await connect()).toEqual(first);
    await age('expires_at = expires_at - interval $$24 h$$');
    expect(await connect()).toEqual(first);
  });

  it('is stored without readable content', async () => {
    await connect();
    const { rows } = await harness.admin.query<{ answer: string }>(
      'SELECT answer FROM operator_idempotency_key WHERE answer IS NOT NULL',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ answer }) => !/^v\d\.[\w.+/=-]+$/.test(answer))).toEqual([]);
  });

  it('is independent of the same key of an installation', async () => {
    const { id } = await connect();
    const made = await harness.call('POST', `/api/v1/operator/installations/${String(id)}/api-tokens`, {
      token: OPERATOR_TOKEN,
      headers: { 'idempotency-key': key },
      body: { role: 'viewer', label: 'test', days: 1 },
    });
    expect(made.status).toBe(201);
  });
});
