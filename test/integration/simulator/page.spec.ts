import { beforeEach, describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { at, exportItem, SimulatorHarness, textAt, type SimulatorResponse } from './simulator-harness.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let cookie: string;

beforeEach(async () => {
  await simulator.control('POST', '/reset');
  cookie = '';
});

const see = (path = '/') => simulator.call('GET', path, { headers: { cookie } });
/** Sends a form as a browser does, and follows where it leads. */
const send = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<SimulatorResponse> => {
  const answer = await simulator.form(path, fields, { cookie, origin: simulator.url });
  expect(answer.status).toBe(303);
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  return see(answer.headers.get('location') ?? '');
};
const signInNew = (name = 'Example ApS') =>
  send('/page/companies', { name, currency: 'EUR', first_name: 'Ida', last_name: 'Berg' });
const visitorIds = () => (cookie.split('=')[1] ?? '').split('.');
const companyId = () => visitorIds()[0] ?? '';
const expense = (extra: object = {}) =>
  send('/page/expenses', {
    type: 'card_purchase',
    supplier: 'Taxi',
    amount: '12.50',
    currency: 'EUR',
    account_code: '4000',
    note: 'to the airport',
    ...extra,
  });
const keyOf = async () => textAt(await simulator.control('POST', '/api-keys', { companyId: companyId() }), 'apiKey');
const hiddenValue = ({ text }: SimulatorResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';

describe('the page of a company', () => {
  it('asks for the person to sign in as', async () => {
    const first = await see();
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(first.text).toContain('There is no company yet.');
    const other = await simulator.addCompany({ name: 'Other' });
    expect((await see()).text).toContain(`<option value="${other}">Bookkeeper</option>`);
    const inside = await send('/page/sign-in', { visitor: other });
    expect(inside.text).toContain('<title>Exports of Other</title>');
    expect((await send('/page/sign-out')).text).toContain('<h2>Sign in');
  });

  it('takes only currencies of ISO 4217', async () => {
    const company = { name: 'Example ApS', currency: 'EUX', first_name: 'Ida', last_name: 'Berg' };
    expect((await send('/page/companies', company)).text).toContain('currency: is no ISO 4217 currency code');
    await signInNew();
    expect((await expense({ currency: 'EUX' })).text).toContain('currency: is no ISO 4217 currency code');
    expect((await expense({ currency: 'JPY', amount: '12' })).text).toContain('12.00 JPY');
  });

  it('shows people by name: who spent, and who pressed Export', async () => {
    const company = await simulator.addCompany();
    const person = { email: 'mia@example.com', firstName: 'Mia', lastName: 'Lind', jobTitle: 'Accountant' };
    const personId = textAt(await simulator.control('POST', `/companies/${company}/employees`, person), 'id');
    const first = await see();
    expect(first.text).toMatch(new RegExp(`<option value="${company}[.]${personId}">\\s*Mia Lind [(]Accountant[)]`));
    await send('/page/sign-in', { visitor: `${company}.${personId}` });
    expect((await expense()).text).toContain('Mia Lind, Example ApS');
    expect((await send('/page/export')).text).toContain('started by Mia Lind');
    const token = await keyOf();
    const jobs = await simulator.call('GET', '/v3/export-jobs', { token });
    const items = await simulator.call('GET', '/v3/export-items', { token });
    expect([at(jobs.body, 'data', 0, 'createdBy'), at(items.body, 'data', 0, 'user')]).toEqual([
      personId,
      { id: personId, name: 'Mia Lind', code: null },
    ]);
  });

  it('refuses the name of another company’s person', async () => {
    await signInNew();
    const [, personId = ''] = visitorIds();
    const other = await simulator.addCompany({ name: 'Other' });
    const page = await send('/page/sign-in', { visitor: `${other}.${personId}` });
    expect(page.text).toContain('<title>Exports of Other</title>');
    expect(page.text).not.toContain('Ida');
    expect((await send('/page/sign-in', { visitor: 'nobody' })).text).toContain('role="alert"');
  });

  it('makes browsers name the page when they submit a form', async () => {
    // With no-referrer they send `Origin: null`, which is refused.
    const policies = [];
    await signInNew();
    for (const path of ['/', '/page/deliveries', '/page/failures']) {
      policies.push((await see(path)).headers.get('referrer-policy'));
    }
    expect(policies).toEqual(['same-origin', 'same-origin', 'same-origin']);
  });

  it('runs its own script only, and renders no text as HTML', async () => {
    await signInNew('<script>alert(1)</script>');
    const page = await expense({ supplier: '<img src=x onerror=alert(1)>', note: '"\'&' });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'; script-src 'self'`);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt; – &quot;&#x27;&amp;');
    expect(page.text.match(/<script/g)).toHaveLength(1);
    const script = await see('/page/script.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
  });

  it('creates an expense that the API serves', async () => {
    await signInNew();
    expect((await expense()).text).toMatch(/1 waiting[\s\S]*Taxi – to the airport[\s\S]*12\.50 EUR/);
    const page = await send('/page/export');
    expect(page.text).toContain('0 waiting');
    const items = await simulator.call('GET', '/v3/export-items', { token: await keyOf() });
    expect(at(items.body, 'data', 0)).toMatchObject({
      type: 'card_purchase',
      amount: { inWalletCurrency: { currency: 'EUR', value: 1250 } },
      supplier: { name: 'Taxi' },
      contraAccount: { code: '1010' },
    });
  });

  it.each([
    ['an amount that is none', { amount: '12,5' }, 'amount: is a number like 12.50'],
    ['no supplier', { supplier: '' }, 'supplier'],
  ])('reports the error in %s', async (_case, change, notice) => {
    await signInNew();
    const page = await expense(change);
    expect(page.text).toContain('role="alert"');
    expect(page.text).toContain(notice);
    expect(page.text).toContain('0 waiting');
  });

  it('shows a running job with its clock, and the result and reason of each item', async () => {
    await signInNew();
    await expense({ supplier: 'Good' });
    await expense({ supplier: 'Bad' });
    const running = await send('/page/export');
    const jobId = hiddenValue(running, 'job_id');
    const deadline = Number(/data-deadline="(\d+)"/.exec(running.text)?.[1]);
    const now = Number(/data-now="(\d+)"/.exec(running.text)?.[1]);
    expect(running.text).toContain('data-running');
    expect(deadline - now).toBeGreaterThan(3_500_000);
    const token = await keyOf();
    const call = (method: string, path: string, body: unknown) => simulator.call(method, path, { token, body });
    const shown = await simulator.control('GET', `/export-jobs/${jobId}`);
    await call('PUT', `/v3/export-jobs/${jobId}/items`, [
      {
        accountingEntryId: at(shown, 'items', 0, 'accountingEntryId'),
        status: 'successful',
        externalId: 'JE-1',
        externalUrl: 'https://erp.example/JE-1',
      },
      {
        accountingEntryId: at(shown, 'items', 1, 'accountingEntryId'),
        status: 'failed',
        failureReason: 'Account 4000 is archived.',
        failureReasonType: 'account_unknown',
        externalUrl: 'javascript:alert(1)',
      },
    ]);
    await call('POST', '/v3/export-job-events', { jobId, event: 'started' });
    await call('POST', '/v3/export-job-events', { jobId, event: 'completed_with_errors' });
    const { text } = await see();
    expect(text).toContain('<a href="https://erp.example/JE-1" rel="noreferrer">JE-1</a>');
    expect(text).toContain(
      '<strong class="reason" title="account_unknown">Account unknown</strong> Account 4000 is archived.',
    );
    expect(text).toContain('title="completed_with_errors">Exported with errors</span>');
    expect(text).toContain('1 failed, 1 exported');
    expect(text).toContain('started by Ida Berg');
    expect(text).toMatch(/<tr class="failed">[^]*<tr class="successful">/);
    expect(text).not.toContain('data-running');
    expect(text).not.toContain('href="javascript:');
    expect(text).toContain('1 waiting');
  });

  it('cancels a job, and refuses a second Export with a notice', async () => {
    await signInNew();
    await expense();
    const jobId = hiddenValue(await send('/page/export'), 'job_id');
    expect((await send('/page/export')).text).toContain('An export is already in progress');
    expect((await send('/page/cancel', { job_id: jobId })).text).toContain('title="canceled_by_user"');
  });

  it('disconnects the application', async () => {
    await signInNew();
    const { accessToken } = await simulator.connect(companyId());
    expect((await see()).text).toContain('title="AUTHORIZED">Authorized</span>');
    expect((await send('/page/disconnect')).text).toContain('href="http://localhost:3999/connect"');
    expect((await simulator.call('GET', '/v1/introspect', { token: accessToken })).status).toBe(401);
  });

  it('refuses a form of another site', async () => {
    await signInNew();
    const headers = { cookie, origin: 'https://evil.example' };
    expect((await simulator.form('/page/export', {}, headers)).status).toBe(403);
  });

  it('redirects to the sign-in without a session', async () => {
    for (const path of ['/page/deliveries', '/page/failures']) {
      const answer = await see(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    }
    expect((await send('/page/export')).text).toContain('<h2>Sign in');
  });
});

describe('the script of the page', () => {
  it('counts down by the simulator’s clock', async () => {
    const { text } = await see('/page/script.js');
    const place = { dataset: { deadline: '1000000' }, textContent: '' };
    const document = {
      // The simulator is an hour behind this computer, which says 3,700 seconds.
      querySelector: (selector: string) => (selector === '[data-now]' ? { dataset: { now: '100000' } } : null),
      querySelectorAll: () => [place],
      addEventListener: () => undefined,
    };
    const Date = { now: () => 3_700_000 };
    runInNewContext(text, { document, Date, setInterval: () => 0 });
    expect(place.textContent).toBe('15:00');
  });
});

describe('the other pages of a company', () => {
  it('show notifications, and resend them', async () => {
    const receiver = await WebhookReceiver.start();
    await signInNew();
    const body = { endpointUrl: receiver.url, eventTypes: ['v1.export-job.created'] };
    await simulator.call('POST', '/v1/subscriptions', { token: await keyOf(), body });
    await expense();
    await send('/page/export');
    await receiver.arrivals(1);
    const webhookId = String(receiver.received[0]?.headers['webhook-id']);
    const page = await send('/page/deliveries/resend', { webhook_id: webhookId });
    expect(page.text).toContain(webhookId);
    expect(page.text).toContain('(by hand)');
    await send('/page/deliveries/forge', { webhook_id: webhookId, forgery: 'unsigned' });
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toBeUndefined();
    expect((await send('/page/deliveries/replay', { webhook_id: 'none' })).text).toContain('role="alert"');
    await receiver.stop();
  });

  it('switch failures on and off', async () => {
    await signInNew();
    const added = await send('/page/failures', {
      path: '/v1/introspect',
      effect: 'before',
      status: '429',
      retry_after: '3',
      delay_ms: '0',
      truncate_at: '',
      answer: '',
      percent: '100',
      seed: '1',
      times: '',
    });
    expect(added.text).toContain('<code>/v1/introspect</code>');
    const token = await keyOf();
    const answer = await simulator.call('GET', '/v1/introspect', { token });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
    await send('/page/failures/remove', { id: hiddenValue(added, 'id') });
    expect((await simulator.call('GET', '/v1/introspect', { token })).status).toBe(200);
    await send('/page/webhook-failures', { effect: 'forge', times: '2' });
    expect(await simulator.control('GET', '/webhook-failures')).toMatchObject([
      { effect: 'forge', forgery: 'wrong_secret', timesLeft: 2 },
    ]);
    const id = String(at(await simulator.control('GET', '/webhook-failures'), 0, 'id'));
    expect((await send('/page/webhook-failures/remove', { id })).status).toBe(200);
    expect(await simulator.control('GET', '/webhook-failures')).toEqual([]);
  });

  it('change settings and the clock', async () => {
    await signInNew();
    const settings = {
      retrySchedule: 'eight_attempts',
      webhookTimestamp: 'generation',
      webhookBody: 'headers_and_payload',
      refreshRotation: 'strict',
    };
    const page = await send('/page/settings', { ...settings, requestsPerMinute: '600' });
    expect(page.text).toContain('<option value="strict" selected="">');
    expect(await simulator.control('GET', '/settings')).toMatchObject({
      ...settings,
      requestsPerMinute: 600,
    });
    await send('/page/settings', { ...settings, requestsPerMinute: '' });
    expect(at(await simulator.control('GET', '/settings'), 'requestsPerMinute')).toBeNull();
    await send('/page/clock', { advance_seconds: '3601' });
    expect(at(await simulator.control('GET', '/clock'), 'offsetSeconds')).toBe(3_601);
  });
});

describe('an entry that is being exported', () => {
  it('is locked, and can be changed afterwards', async () => {
    const company = await simulator.addCompany();
    const [id = ''] = await simulator.addItems(company, [exportItem(-1)]);
    const put = async (note: string) =>
      (await simulator.call('PUT', `/control/items/${id}`, { body: exportItem(-1, { note }) })).status;
    expect(await put('before')).toBe(204);
    const jobId = await simulator.triggerExport(company);
    const locked = await simulator.call('PUT', `/control/items/${id}`, { body: exportItem(-2) });
    expect([locked.status, at(locked.body, 'type')]).toEqual([409, 'ENTRY_LOCKED']);
    expect((await simulator.call('DELETE', `/control/items/${id}`)).status).toBe(409);
    const token = textAt(await simulator.control('POST', '/api-keys', { companyId: company }), 'apiKey');
    const items = await simulator.call('GET', '/v3/export-items', { token });
    expect(at(items.body, 'data', 0)).toMatchObject({ accountingEntryId: id, note: 'before' });
    await simulator.control('POST', `/export-jobs/${jobId}/cancel`);
    expect(await put('after')).toBe(204);
    const removed = await simulator.call('DELETE', `/control/items/${id}`);
    expect([removed.status, at(removed.body, 'type')]).toEqual([409, 'ENTRY_EXPORTED']);
  });

  it('can be deleted when no export has it', async () => {
    await signInNew();
    const page = await expense();
    expect((await send('/page/expenses/remove', { item_id: hiddenValue(page, 'item_id') })).text).toContain(
      '0 waiting',
    );
  });
});
