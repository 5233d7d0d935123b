import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformApi, type FetchedItem } from '../../../src/connector/platform/platform-api.js';
import { InvalidPlatformResponse } from '../../../src/connector/platform/platform-error.js';
import { PlatformHttp, type PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import { ReferenceDataApi } from '../../../src/connector/platform/reference-data-api.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { respondingWith, MisbehavingServer } from '../../support/servers/misbehaving-server.js';
import { UnlimitedBudget } from '../../support/platform/unlimited-budget.js';

// What goes over the wire and what is made of it, literally (P0 to P3).

const JOB = randomUUID();
const COMPANY = randomUUID();
const authorization: PlatformAuthorization = {
  accessToken: () => Promise.resolve('some-token'),
  renewed: () => Promise.resolve('other-token'),
};

let server: MisbehavingServer;
let client: HttpClient;
let http: PlatformHttp;
let api: PlatformApi;

beforeAll(async () => {
  server = await MisbehavingServer.start();
  client = new HttpClient({
    baseUrl: server.url,
    timeoutMs: 5_000,
    maxResponseBytes: 1_048_576,
    maxConnections: 2,
  });
  http = new PlatformHttp(client, new SystemClock(), new UnlimitedBudget());
  api = new PlatformApi(http);
});
afterAll(async () => {
  client.close();
  await server.close();
});

function pageOf(elements: readonly unknown[], endCursor?: string | null, hasNextPage = endCursor !== undefined) {
  return respondingWith(200, { data: elements, pagination: { hasNextPage, endCursor } });
}

function exportJob(change: object = {}) {
  return {
    id: randomUUID(),
    companyId: COMPANY,
    status: 'created',
    vendorBasedBookkeeping: false,
    numberOfItems: 2,
    createdAt: '2026-03-04T10:00:00.123Z',
    expiresIn: 3_600,
    ...change,
  };
}

const MONEY = '{"currency":"EUR","value":-1234}';
const dual = (money: string) => `{"inSupplierCurrency":${money},"inWalletCurrency":${money}}`;

/** JSON text, because what matters is how a number is written. */
function exportItem(id: string, { money = MONEY, more = '' } = {}): string {
  return `{"accountingEntryId":"${id}","companyId":"${COMPANY}","type":"purchase","date":"2026-03-01",
    "amount":${dual(money)},"accountingEntryLines":[{"accountingEntryLineId":"l","lineAmount":${dual(money)},
    "netAmount":${dual(money)}}],"additionalInformation":{"reconciliationId":"r"}${more}}`;
}

async function fetchItems(...items: readonly string[]): Promise<readonly FetchedItem[]> {
  server.plan(respondingWith(200, `{"data":[${items.join(',')}],"pagination":{"hasNextPage":false}}`));
  const all: FetchedItem[] = [];
  for await (const elements of api.exportItemPages(authorization, JOB)) {
    all.push(...elements);
  }
  return all;
}

async function fetchItem(item: string) {
  const [only] = await fetchItems(item);
  if (only === undefined || !('item' in only)) {
    throw new Error(`the item is ${JSON.stringify(only)}`);
  }
  return only.item;
}

const listJobs = () => api.listExportJobs(authorization, COMPANY, ['created', 'in_progress']);

describe('a list', () => {
  it('is read page by page after the cursor of the page before', async () => {
    const jobs = [exportJob(), exportJob(), exportJob()];
    server.plan(pageOf(jobs.slice(0, 1), 'one='), pageOf(jobs.slice(1, 2), 'two&'), pageOf(jobs.slice(2)));
    expect(await listJobs()).toMatchObject(jobs.map(({ id }) => ({ job: { id } })));
    expect(server.requests.map(({ query }) => query.get('after'))).toEqual([null, 'one=', 'two&']);
  });

  it('repeats the name of a parameter that has several values', async () => {
    server.plan(pageOf([exportJob()], 'one'), pageOf([]));
    await listJobs();
    for (const { path, query } of server.requests) {
      expect(path).toBe('/v3/export-jobs');
      expect(query.getAll('statuses')).toEqual(['created', 'in_progress']);
      expect(query.getAll('company_id')).toEqual([COMPANY]);
      expect(query.getAll('limit')).toEqual(['100']);
    }
  });

  it('of jobs gives the others when one cannot be read, and says which and why', async () => {
    const [first, last] = [exportJob(), exportJob()];
    server.plan(pageOf([first, exportJob({ id: JOB, expiresIn: 'an hour' }), 'no job', null, last]));
    expect(await listJobs()).toMatchObject([
      { job: { id: first.id } },
      { id: JOB, unreadable: expect.stringContaining('expiresIn') },
      { id: undefined, unreadable: expect.any(String) },
      { id: undefined, unreadable: expect.any(String) },
      { job: { id: last.id } },
    ]);
  });

  it('of the items of a job leaves out what cannot be read', async () => {
    const item = (change: object = {}) => ({ accountingEntryId: randomUUID(), status: 'pending', ...change });
    const [first, last] = [item(), item()];
    server.plan(pageOf([first, item({ status: 7 }), item({ accountingEntryId: null }), null, last]));
    const items = [];
    for await (const page of api.jobItemPages(authorization, JOB)) items.push(...page);
    expect(items).toEqual([first, last]);
  });

  it('ends where the platform says so, regardless of the cursor', async () => {
    server.plan(pageOf([exportJob()], 'one', false));
    expect(await listJobs()).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['the same cursor again', ['one']],
    ['no cursor', [null]],
    ['an empty cursor', ['']],
    ['cursors in a circle', ['one', 'two']],
  ])('that continues with %s is malformed', async (_, cursors) => {
    let page = 0;
    server.always((response) => {
      pageOf([exportJob()], cursors[page % cursors.length], true)(response);
      page += 1;
    });
    await expect(listJobs()).rejects.toBeInstanceOf(InvalidPlatformResponse);
    expect(server.requests.length).toBeLessThanOrEqual(cursors.length + 1);
  });
});

describe('a job', () => {
  it('is read with unknown states and fields', async () => {
    server.plan(
      respondingWith(200, { data: exportJob({ id: JOB, status: 'paused', mood: { good: true } }), extra: 1 }),
    );
    const job = await api.getExportJob(authorization, JOB);
    expect(job).toMatchObject({ id: JOB, status: 'paused', createdAt: new Date('2026-03-04T10:00:00.123Z') });
    expect(job).not.toHaveProperty('mood');
    expect(server.requests[0]?.path).toBe(`/v3/export-jobs/${JOB}`);
  });

  it.each([
    ['null', null],
    ['absent', undefined],
  ])('may have optional fields %s', async (_, value) => {
    const optional = {
      vendorBasedBookkeeping: value,
      lastUpdatedAt: value,
      failureReason: value,
      failureReasonType: value,
    };
    server.plan(respondingWith(200, { data: exportJob(optional) }));
    expect((await api.getExportJob(authorization, JOB)).failureReason ?? undefined).toBeUndefined();
  });

  it('may have ids of any version: the interface says UUID and nothing more', async () => {
    const id = '11111111-1111-1111-1111-111111111111';
    server.plan(respondingWith(200, { data: exportJob({ id, companyId: '00000000-0000-0000-0000-00000000000A' }) }));
    const job = await api.getExportJob(authorization, id);
    expect([job.id, job.companyId]).toEqual([id, '00000000-0000-0000-0000-00000000000a']);
  });

  it.each([
    ['nothing', 200, ''],
    ['a line break', 202, '\n'],
    ['an object', 201, { data: { id: JOB } }],
  ])('receives an event whose answer is %s with %d: no status is published', async (_, status, body) => {
    server.plan(respondingWith(status, body));
    await api.sendJobEvent(authorization, JOB, { event: 'completed' });
    expect(server.requests).toHaveLength(1);
  });

  it('receives an event with its id in the body', async () => {
    server.plan(respondingWith(202, ''));
    await api.sendJobEvent(authorization, JOB, {
      event: 'failed',
      failureReason: 'why',
      failureReasonType: 'what',
    });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v3/export-job-events' });
    expect(request?.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      jobId: JOB,
      event: 'failed',
      failureReason: 'why',
      failureReasonType: 'what',
    });
  });
});

const ACCOUNT = { name: 'n', code: 'c', archived: false, metadata: null, taxCodeExternalId: null };
const TAX_CODE = {
  name: 'n',
  code: 'c',
  rate: 0.2,
  type: 't',
  archived: false,
  ingoingTaxAccount: null,
  outgoingTaxAccount: null,
};
const LOGIN_PAGE = '<!doctype html><title>Sign in</title>';

describe('a response of a proxy instead of the platform', () => {
  const sendEvent = () => api.sendJobEvent(authorization, JOB, { event: 'completed' });
  const reference = () => new ReferenceDataApi(http);

  it.each([
    ['a page with 200', 200, LOGIN_PAGE],
    ['a page with 202', 202, LOGIN_PAGE],
    ['a list', 202, []],
  ])('%s is not an accepted event, and the event is not resent automatically', async (_, status, body) => {
    server.always(respondingWith(status, body));
    await expect(sendEvent()).rejects.toBeInstanceOf(InvalidPlatformResponse);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['that a subscription is deleted', () => api.deleteSubscription(authorization, JOB)],
    ['that the installation is deleted', () => api.deleteInstallation(authorization)],
    ['a new tax code', () => reference().createTaxCode(authorization, COMPANY, TAX_CODE)],
  ])('is not mistaken for %s', async (_, act) => {
    server.always(respondingWith(200, LOGIN_PAGE));
    await expect(act()).rejects.toBeInstanceOf(InvalidPlatformResponse);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an installation', () => api.createInstallation(authorization)],
    ['results', () => api.updateJobItems(authorization, JOB, [])],
    ['an account', () => reference().updateAccount(authorization, JOB, ACCOUNT)],
    ['a tag', () => reference().createTag(authorization, JOB, { name: 'n', code: 'c', archived: false })],
    ['a vendor', () => reference().activateVendor(authorization, JOB, { externalId: 'x', code: 'c' })],
  ])('is not mistaken for the response about %s, and the request is repeated', async (_, act) => {
    server.plan(respondingWith(200, LOGIN_PAGE), respondingWith(418, { type: 'teapot' }));
    await expect(act()).rejects.toMatchObject({ status: 418 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('an export item', () => {
  const digits = ['123.4', '12345678901234567', '-0', '0', '0.1', '-99999999999999999999.99'];
  it.each([...digits.map((each) => [each, each]), ['1E+2', '100'], ['-12345678901234567.5e1', '-123456789012345675']])(
    'has the money value %s as %s, without a float on the way',
    async (sent, read) => {
      const item = await fetchItem(exportItem(randomUUID(), { money: `{"currency":"EUR","value":${sent}}` }));
      expect(item.amount.inWalletCurrency.value).toBe(read);
      expect(item.accountingEntryLines[0]?.netAmount.inSupplierCurrency.value).toBe(read);
    },
  );

  it('has its id in lower case, however the platform spells it: two spellings would be two posting keys', async () => {
    const id = randomUUID();
    const item = await fetchItem(exportItem(id.toUpperCase()));
    expect(item.accountingEntryId).toBe(id);
  });

  it('is requested through its job', async () => {
    await fetchItems();
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/v3/export-items' });
    expect(server.requests[0]?.query.get('job_id')).toBe(JOB);
  });

  it.each(['note', 'subType', 'vendor', 'supplier', 'user', 'bookkeeping', 'contraAccount', 'servicePeriod'])(
    'reads %s null as absent',
    async (field) => {
      const item = await fetchItem(exportItem(randomUUID(), { more: `,"${field}":null` }));
      expect(Reflect.get(item, field) ?? undefined).toBeUndefined();
    },
  );

  it('tolerates unknown kinds and fields', async () => {
    const more = ',"subType":"brand_new","bookkeeping":{"method":"astrology"},"mood":{"value":1}';
    const item = await fetchItem(exportItem(randomUUID(), { more }));
    expect(item).toMatchObject({ subType: 'brand_new', bookkeeping: { method: 'astrology' } });
    expect(item).not.toHaveProperty('mood');
  });

  it('has no character that a database refuses', async () => {
    const more = String.raw`,"note":"a\u0000b\ud800c🍕","user":{"id":"\uDC00","name":"\ud83c\udf55"}`;
    const item = await fetchItem(exportItem(randomUUID(), { more }));
    expect([item.note, item.user?.id, item.user?.name]).toEqual(['a\uFFFDb\uFFFDc🍕', '\uFFFD', '🍕']);
  });

  it.each(['{}', '{"method":null}'])('reads bookkeeping %s as no method', async (bookkeeping) => {
    const item = await fetchItem(exportItem(randomUUID(), { more: `,"bookkeeping":${bookkeeping}` }));
    expect(item.bookkeeping?.method ?? undefined).toBeUndefined();
  });

  it('with an endless note is cut, never within a character', async () => {
    const item = await fetchItem(exportItem(randomUUID(), { more: `,"note":"${'n'.repeat(1_999)}🍕"` }));
    expect(item.note).toBe('n'.repeat(1_999));
  });

  it('with an endless note is cut, not refused', async () => {
    const item = await fetchItem(exportItem(randomUUID(), { more: `,"note":"${'n'.repeat(5_000)}"` }));
    expect(item.note).toHaveLength(2_000);
  });

  it.each([
    ['money as text without digits', (id: string) => exportItem(id, { money: '{"currency":"EUR"}' })],
    [
      'more digits than any amount has',
      (id: string) => exportItem(id, { money: `{"currency":"EUR","value":${'1'.repeat(101)}}` }),
    ],
    ['no lines', (id: string) => `{"accountingEntryId":"${id}"}`],
    ['a vendor that is a number', (id: string) => exportItem(id, { more: ',"vendor":7' })],
  ])('with %s is unreadable without affecting others', async (_, broken) => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const items = await fetchItems(exportItem(first), broken(second), exportItem(third));
    expect(items).toEqual([
      { accountingEntryId: first, item: expect.objectContaining({ accountingEntryId: first }) },
      { accountingEntryId: second, unreadable: expect.stringMatching(/./) },
      { accountingEntryId: third, item: expect.objectContaining({ accountingEntryId: third }) },
    ]);
  });

  it('cannot change a prototype', async () => {
    const item = await fetchItem(exportItem(randomUUID(), { more: ',"__proto__":{"note":"mine"}' }));
    expect(item.note ?? undefined).toBeUndefined();
  });
});

describe('results of items', () => {
  it('are sent as a bare list, and the response names the refused ones', async () => {
    const [good, bad, worse] = [randomUUID(), randomUUID(), randomUUID()];
    const errors = [
      { accountingEntryId: bad, message: 'no such item', type: 'not_found', more: 1 },
      { accountingEntryId: worse, message: null, type: 'not_found' },
    ];
    server.plan(respondingWith(200, { data: [{ accountingEntryId: good, status: 'successful' }], errors }));
    const results = [
      { accountingEntryId: good, status: 'successful', exportedAt: '2026-03-04T10:00:00Z' },
      { accountingEntryId: bad, status: 'failed', failureReason: 'why' },
    ] as const;
    expect(await api.updateJobItems(authorization, JOB, results)).toMatchObject({
      data: [{ accountingEntryId: good }],
      errors: [{ accountingEntryId: bad, type: 'not_found' }, { message: '' }],
    });
    expect(server.requests[0]).toMatchObject({ method: 'PUT', path: `/v3/export-jobs/${JOB}/items` });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(results);
  });
});

describe('other resources', () => {
  it.each([
    ['a list', ['v1.some-event']],
    ['a single text', 'v1.some-event'],
  ])('a subscription may name its events as %s', async (_, eventTypes) => {
    const subscription = {
      id: randomUUID(),
      status: 'ACTIVE',
      endpointUrl: 'https://example.org',
      eventTypes,
    };
    server.plan(pageOf([subscription]));
    const [read] = await api.listSubscriptions(authorization);
    expect(read?.eventTypes).toEqual(['v1.some-event']);
  });

  it('an installation is a bare object', async () => {
    const installation = { id: randomUUID(), resource: `company:${COMPANY}`, status: 'AUTHORIZED', more: 1 };
    server.plan(respondingWith(200, installation));
    expect(await api.getInstallation(authorization)).toMatchObject({
      id: installation.id,
      status: 'AUTHORIZED',
    });
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/v1/installations/me' });
  });

  it('an id cannot lead to another path', async () => {
    server.plan(respondingWith(200, { data: { id: COMPANY, name: 'Example' } }));
    await api.getCompany(authorization, '../v1/introspect?x=1');
    expect(server.requests[0]?.path).toBe('/v1/companies/..%2Fv1%2Fintrospect%3Fx%3D1');
  });
});
