import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformAccess } from '../../../../src/connector/installations/credentials/platform-access.js';
import { RotateKeys } from '../../../../src/connector/installations/credentials/rotate-keys.js';
import { AuthorizationLost } from '../../../../src/connector/platform/platform-error.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { respondingWith, reset, silent } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness, organizationUrn } from './connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// Uninstalling and reinstalling (S30, S63; I32, I33).

const DELETE_INSTALLATION = 'DELETE /v1/installations/me';
const REQUESTED = 'SELECT release_requested_until > now() AS asked FROM company_lease WHERE installation_id = $1';
/** The limits of an uninstalling run out only as the test says; the rest of the machinery keeps its own time. */
const holdTimeouts = () =>
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
    ],
  });

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let token: string;

afterEach(() => {
  jest.useRealTimers();
});
beforeEach(async () => {
  harness.platform.restore();
  const registrationNumber = randomUUID();
  company = harness.platform.addCompany({ registrationNumber, name: `Company ${registrationNumber}` });
  harness.platform.addErpCompany(`erp-${registrationNumber}`, registrationNumber);
  id = await harness.connect(companyUrn(company.id));
  await harness.link(id, `erp-${registrationNumber}`);
  token = await harness.token(id);
  await harness.admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{"kept": true}', 'me', now())`,
    [id],
  );
  harness.platform.seen.length = 0;
});

const uninstall = (name = company.name, caller = token) =>
  harness.call('DELETE', `/api/v1/installation?${new URLSearchParams({ companyName: name }).toString()}`, {
    token: caller,
  });
const tokenOf = async (installationId: string): Promise<string> => {
  const authorization = harness.get(PlatformAccess).authorizationFor(toInstallationId(installationId));
  const token = await authorization.accessToken();
  return typeof token === 'string' ? token : token.text;
};
const count = async (table: string, installationId = id) =>
  at(await harness.row(`SELECT count(*)::int FROM ${table} WHERE installation_id = $1`, installationId), 'count');
const endpointOf = () => {
  const seen = [...harness.platform.subscriptions.values()].at(-1);
  return `/webhooks/${seen?.endpointUrl.split('/').at(-1) ?? ''}`;
};
const addOpenJob = async () => {
  const jobId = randomUUID();
  await harness.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, 'detected', 1, false, now(), now() + interval '1 hour', now(), now())`,
    [id, jobId, company.id],
  );
  return jobId;
};
const unsubscribe = () => harness.platform.calls().find((call) => call.startsWith('DELETE /v1/subscriptions/'));
const subscriptionCall = () => `DELETE /v1/subscriptions/${[...harness.platform.subscriptions.keys()].at(-1) ?? ''}`;
/** Looks again and again, in real time, until it is so. */
const until = async (isSo: () => Promise<boolean> | boolean) => {
  while (!(await isSo())) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const state = async () => at(await harness.row('SELECT state FROM installation WHERE id = $1', id), 'state');

describe('uninstalling in the connector', () => {
  it('notifies the platform, ends all requests, and destroys the key', async () => {
    const endpoint = endpointOf();
    const answer = await uninstall();
    expect([answer.status, answer.json]).toEqual([200, { platformNotified: true }]);
    expect(harness.platform.calls().at(-1)).toBe(DELETE_INSTALLATION);
    expect(harness.platform.calls().some((call) => call.startsWith('DELETE /v1/subscriptions/'))).toBe(true);
    expect(await state()).toBe('uninstalled');
    expect([await count('data_key'), await count('api_token'), await count('erp_company_link')]).toEqual([0, 0, 0]);
    expect(await count('mapping_version')).toBe(1);
    await expect(tokenOf(id)).rejects.toBeInstanceOf(AuthorizationLost);
    expect((await harness.call('GET', '/api/v1/connection', { token })).status).toBe(401);
    expect((await harness.call('POST', endpoint, { body: {} })).status).toBe(410);
    harness.platform.seen.length = 0;
    await harness.maintainSubscription(id);
    await harness.finish(id);
    expect(harness.platform.calls()).toEqual([]);
  });

  it('ends an open export first, while the credential is still valid', async () => {
    const jobId = await addOpenJob();
    expect((await uninstall()).json).toEqual({ platformNotified: true });
    const calls = harness.platform.calls();
    expect(calls.indexOf(`GET /v3/export-jobs/${jobId}`)).toBeGreaterThanOrEqual(0);
    expect(calls.indexOf(`GET /v3/export-jobs/${jobId}`)).toBeLessThan(calls.indexOf(DELETE_INSTALLATION));
  });

  it.each([
    ['none', ''],
    ['that of another one', 'Another company'],
    ['one that is too long', 'x'.repeat(600)],
  ])('requires the company’s name: %s changes nothing', async (_case, name) => {
    expect([400, 409]).toContain((await uninstall(name)).status);
    expect((await harness.call('DELETE', '/api/v1/installation', { token })).status).toBe(400);
    expect(await state()).toBe('active');
    expect(harness.platform.calls()).toEqual([]);
  });

  it.each(['viewer', 'bookkeeper'] as const)('is not accessible to the role %s', async (role) => {
    expect((await uninstall(company.name, await harness.token(id, role))).status).toBe(403);
    expect(await state()).toBe('active');
  });

  it.each([
    ['answers 502', respondingWith(502, { type: 'BAD', message: '' })],
    ['does not answer', reset],
  ])('while the platform %s, tries again for a while, and destroys the key as well', async (_, behavior) => {
    harness.platform.next(DELETE_INSTALLATION, behavior);
    expect((await uninstall()).json).toEqual({ platformNotified: true });
    expect([await state(), await count('data_key')]).toEqual(['uninstalled', 0]);
  });

  it('while the platform fails again and again, gives up and destroys the key as well', async () => {
    const failing = respondingWith(502, { type: 'BAD', message: '' });
    harness.platform.next(DELETE_INSTALLATION, ...Array.from({ length: 10 }, () => failing));
    expect((await uninstall()).json).toEqual({ platformNotified: false });
    expect([await state(), await count('data_key')]).toEqual(['uninstalled', 0]);
    expect(harness.platform.calls().filter((call) => call === DELETE_INSTALLATION)).toHaveLength(5);
  });

  it('whose subscription cannot be deleted still notifies the platform', async () => {
    harness.platform.next(subscriptionCall(), respondingWith(500, { type: 'INTERNAL', message: '' }));
    expect((await uninstall()).json).toEqual({ platformNotified: true });
    expect(harness.platform.calls().at(-1)).toBe(DELETE_INSTALLATION);
  });

  it('takes less than half a minute, even when a worker holds the company and the platform does not respond', async () => {
    await addOpenJob();
    await harness.admin.query(
      `INSERT INTO company_lease (installation_id, company_id, fence, holder, expires_at)
       VALUES ($1, $2, 1, $3, now() + interval '1 hour')`,
      [id, company.id, randomUUID()],
    );
    harness.platform.next(subscriptionCall(), silent);
    harness.platform.next(DELETE_INSTALLATION, silent, silent, silent);
    holdTimeouts();
    const leaving = uninstall();
    await until(async () => at(await harness.row(REQUESTED, id), 'asked') === true);
    expect(await state()).toBe('active');
    await jest.advanceTimersByTimeAsync(10_000);
    await until(() => unsubscribe() !== undefined);
    expect([await state(), await count('data_key')]).toEqual(['uninstalled', 1]);
    await jest.advanceTimersByTimeAsync(5_000);
    await until(() => harness.platform.calls().at(-1) === DELETE_INSTALLATION);
    await jest.advanceTimersByTimeAsync(10_000);
    expect((await leaving).json).toEqual({ platformNotified: false });
    expect(await count('data_key')).toBe(0);
  });

  it('works when the secrets cannot be decrypted', async () => {
    await harness.admin.query('DELETE FROM data_key WHERE installation_id = $1', [id]);
    expect((await uninstall()).json).toEqual({ platformNotified: false });
    expect(await state()).toBe('uninstalled');
  });

  const dieAfterClosing = (secondsAgo: number) =>
    harness.admin.query(
      `UPDATE installation SET state = 'uninstalled', uninstalled_at = now() - make_interval(secs => $2) WHERE id = $1`,
      [id, secondsAgo],
    );
  const tick = () => harness.get(RotateKeys).rotate(new AbortController().signal);

  it('that was interrupted before the platform was notified is completed by the next tick, once', async () => {
    await dieAfterClosing(17);
    expect(await count('data_key')).toBe(1);
    await tick();
    expect(await count('data_key')).toBe(0);
    expect(harness.platform.calls().filter((call) => call === DELETE_INSTALLATION)).toHaveLength(1);
    expect(unsubscribe()).toBeDefined();
    harness.platform.seen.length = 0;
    await tick();
    expect(harness.platform.calls()).toEqual([]);
  });

  it('that is still notifying the platform is not completed by another process', async () => {
    await dieAfterClosing(10);
    await tick();
    expect([await count('data_key'), harness.platform.calls()]).toEqual([1, []]);
  });

  it('that was interrupted is completed even when the platform does not respond', async () => {
    await dieAfterClosing(17);
    harness.platform.next(subscriptionCall(), silent);
    harness.platform.next(DELETE_INSTALLATION, silent);
    holdTimeouts();
    const finished = tick();
    await until(() => unsubscribe() !== undefined);
    await jest.advanceTimersByTimeAsync(2_000);
    await until(() => harness.platform.calls().at(-1) === DELETE_INSTALLATION);
    await jest.advanceTimersByTimeAsync(3_000);
    await finished;
    expect(await count('data_key')).toBe(0);
  });

  it('leaves the key to a reinstall that happens while the platform is notified', async () => {
    let again: Promise<string> | undefined;
    harness.platform.next(DELETE_INSTALLATION, (response) => {
      again = harness.connect(companyUrn(company.id)).finally(() => {
        respondingWith(204, '')(response);
      });
    });
    await uninstall();
    expect(await again).toBe(id);
    expect([await state(), await count('data_key')]).toEqual(['active', 1]);
    expect(await tokenOf(id)).toMatch(/^access-/);
  });

  it('does not remove from the platform what is installed again while the subscription is deleted', async () => {
    const subscription = [...harness.platform.subscriptions.keys()].at(-1) ?? '';
    let again: Promise<string> | undefined;
    harness.platform.next(`DELETE /v1/subscriptions/${subscription}`, (response) => {
      again = harness.connect(companyUrn(company.id)).finally(() => {
        respondingWith(204, '')(response);
      });
    });
    await uninstall();
    expect(await again).toBe(id);
    expect(harness.platform.calls()).not.toContain(DELETE_INSTALLATION);
    expect(await state()).toBe('active');
  });

  it('of one company of an organization leaves the others connected', async () => {
    const organizationId = randomUUID();
    const first = harness.platform.addCompany({ organizationId, name: 'First' });
    const one = await harness.connect(organizationUrn(organizationId));
    const second = harness.platform.addCompany({ organizationId, name: 'Second' });
    const key = harness.platform.addApiKey(organizationUrn(organizationId), 'basic');
    const reply = await harness.call('POST', '/api/v1/operator/installations', {
      token: 'operator-token-of-the-tests',
      body: { apiKey: key, companyId: second.id },
    });
    const two = String(at(reply.json, 'installationId'));
    await harness.finish(two);
    harness.platform.seen.length = 0;
    expect((await uninstall(first.name, await harness.token(one))).json).toEqual({ platformNotified: true });
    expect(harness.platform.calls()).not.toContain(DELETE_INSTALLATION);
    await harness.maintainSubscription(two);
    expect((await uninstall(second.name, await harness.token(two))).json).toEqual({ platformNotified: true });
    expect(harness.platform.calls()).toContain(DELETE_INSTALLATION);
  });
});

describe('uninstalling on the platform', () => {
  it('is noticed by the next request, and requires a new authorization with the configuration retained', async () => {
    harness.platform.credentials.clear();
    harness.platform.next('POST /oauth/token', respondingWith(400, { error: 'invalid_grant' }));
    await harness.maintainSubscription(id).catch(() => undefined);
    expect(await state()).toBe('needs_reauthorization');
    const { json } = await harness.call('GET', '/api/v1/connection', { token });
    expect(json).toMatchObject({ state: 'needs_reauthorization', next: 'authorization' });
    expect(await count('mapping_version')).toBe(1);
  });

  it('ends the polls that are under way without an error, since none can succeed until a person connects again', async () => {
    harness.platform.credentials.clear();
    harness.platform.next('POST /oauth/token', respondingWith(400, { error: 'invalid_grant' }));
    await expect(harness.poll(id)).rejects.toThrow();
    expect(await state()).toBe('needs_reauthorization');
    await harness.poll(id);
    await harness.admin.query(`UPDATE credential SET expires_at = now() - interval '1 second'`);
    await harness.poll(id);
    const isDue = async () =>
      at(await harness.row('SELECT next_poll_at <= now() AS due FROM installation WHERE id = $1', id), 'due');
    expect(await isDue()).toBe(false);
    expect(await harness.connect(companyUrn(company.id))).toBe(id);
    expect(await isDue()).toBe(true);
  });
});

describe('reinstalling', () => {
  const generation = async () =>
    at(await harness.row('SELECT generation FROM installation WHERE id = $1', id), 'generation');

  it('continues the same installation as its next generation, with its configuration', async () => {
    const before = endpointOf();
    await uninstall();
    harness.platform.subscriptions.clear();
    expect(await harness.connect(companyUrn(company.id))).toBe(id);
    expect([await state(), await generation(), await count('mapping_version')]).toEqual(['active', 2, 1]);
    expect(at(await harness.row('SELECT erp_company_id FROM installation WHERE id = $1', id), 'erp_company_id')).toBe(
      `erp-${company.registrationNumber ?? ''}`,
    );
    expect(await count('erp_company_link')).toBe(1);
    expect(endpointOf()).not.toBe(before);
    expect((await harness.call('POST', before, { body: {} })).status).toBe(404);
    expect(harness.platform.subscriptions.size).toBe(1);
    expect((await harness.call('GET', '/api/v1/connection', { token })).status).toBe(401);
  });

  it('without an uninstall is the same generation: one installation per company', async () => {
    expect(await harness.connect(companyUrn(company.id))).toBe(id);
    expect([await state(), await generation()]).toEqual(['active', 1]);
    expect(
      await harness.row('SELECT count(*)::int FROM installation WHERE platform_company_id = $1', company.id),
    ).toEqual({ count: 1 });
  });

  it('twice at the same time results in one installation', async () => {
    const fresh = harness.platform.addCompany();
    harness.platform.resource = companyUrn(fresh.id);
    const attempts = await Promise.all([harness.begin(), harness.begin(), harness.begin()]);
    const replies = await Promise.all(attempts.map((attempt) => harness.returnFromPlatform(attempt)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(
      await harness.row('SELECT count(*)::int FROM installation WHERE platform_company_id = $1', fresh.id),
    ).toEqual({ count: 1 });
  });

  it('after another installation was linked to the ERP company waits for an administrator', async () => {
    await uninstall();
    const taker = await harness.connect(companyUrn(harness.platform.addCompany().id));
    await harness.link(taker, `erp-${company.registrationNumber ?? ''}`);
    harness.platform.resource = companyUrn(company.id);
    await harness.returnFromPlatform(await harness.begin());
    await harness.finish(id);
    const { json } = await harness.call('GET', '/api/v1/connection', { token: await harness.token(id) });
    expect(json).toMatchObject({ state: 'active', next: 'erp-company' });
  });
});
