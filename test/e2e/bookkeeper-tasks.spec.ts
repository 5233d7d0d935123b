// What a bookkeeper and a finance admin do, each task through the client that is generated from the API's document, and how
// many calls it takes. The table of docs/bookkeeper.md has the tasks with their calls; this file holds it to them.
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import createFetchClient from 'openapi-fetch';
import { createApiToken, findActiveInstallation } from '../../src/sandbox/launch/demo/connect-company.js';
import { firstCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import { ProgramClient } from '../../src/sandbox/launch/demo/program-client.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { z } from 'zod';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';
import type { paths } from '../../web/api/schema.js';

type Client = ReturnType<typeof createFetchClient<paths>>;

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
let api: Client;
let calls: string[] = [];
let exported: string;
/** Entries of it. */
let booked: string;
let refused: string;
let month: string;
/** Of the mapping, as the page has it from the answer before. */
let version: number;
let resolution: string;

beforeAll(async () => {
  await triggerExport(programs.clients.simulator);
  exported = (await programs.verdict()).id;
  const operator = new ProgramClient('connector', programs.operator.url, programs.operator.token);
  const installation = (await findActiveInstallation(operator, firstCustomer)) ?? '';
  const token = await createApiToken(operator, installation);
  operator.close();
  api = createFetchClient<paths>({
    baseUrl: programs.operator.url,
    headers: { authorization: `Bearer ${token}` },
    fetch: async (request: Request) => {
      calls.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    },
  });
  const settings = await api.GET('/api/v1/settings');
  version = done(settings).version;
  booked = (await items({ state: 'successful', limit: 1 }))[0]?.accountingEntryId ?? '';
  refused = (await items({ state: 'failed', limit: 1 }))[0]?.accountingEntryId ?? '';
  month = done(await api.GET('/api/v1/month-ends')).data[0]?.month ?? '';
});

/** @returns what a call answered; a refusal fails the task */
function done<T>({
  data,
  error,
  response,
}: {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}): T {
  if (data === undefined) {
    throw new Error(`${response.status.toString()} of ${response.url}: ${JSON.stringify(error)}`);
  }
  return data;
}

const etag = () => ({ 'If-Match': `"${version.toString()}"` });
const ofExport = () => ({ params: { path: { id: exported } } });
const items = async (query: NonNullable<NonNullable<paths['/api/v1/jobs/{id}/items']['get']['parameters']['query']>>) =>
  done(await api.GET('/api/v1/jobs/{id}/items', { params: { path: { id: exported }, query } })).data;
const entryPath = (accountingEntryId: string) => ({ params: { path: { accountingEntryId } } });
const issue = (issueKey: string) => ({ params: { path: { issueKey } } });
const waitUntil = async (isDone: () => Promise<boolean>) => {
  while (!(await isDone())) await programs.clock.sleep(200);
};

/** In the order of a working day: some need what one before has done. */
const TASKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'see what needs me': async () => {
    const overview = done(await api.GET('/api/v1/overview'));
    expect(overview.issues).toMatchObject({ count: 5, entries: 5 });
    expect(overview.issues.first[0]?.message.text).not.toBe('');
  },
  'hear what changes': async () => done(await api.GET('/api/v1/events')),
  'see my clients': async () => done(await api.GET('/api/v1/me/installations')),
  'list exports with their sums': async () => {
    const { data } = done(await api.GET('/api/v1/jobs', { params: { query: { limit: 20 } } }));
    expect(data[0]).toMatchObject({ id: exported, successful: 142, failed: 5 });
  },
  'read an export with its items': async () => {
    expect(done(await api.GET('/api/v1/jobs/{id}', ofExport()))).toMatchObject({ failed: 5 });
    expect(await items({ limit: 1_000 })).toHaveLength(147);
  },
  'see what failed of it': async () => {
    expect(await items({ state: 'failed' })).toHaveLength(5);
  },
  'find an item by supplier, person or text': async () => {
    expect((await items({ search: 'Hotel' })).length).toBeGreaterThan(0);
  },
  'see the largest items first': async () => {
    expect((await items({ sort: '-amount', limit: 5 })).length).toBe(5);
  },
  'find an entry over all exports': async () => {
    const { data } = done(await api.GET('/api/v1/entries', { params: { query: { state: 'posted', limit: 5 } } }));
    expect(data).toHaveLength(5);
  },
  'read the history of an entry': async () => {
    expect(done(await api.GET('/api/v1/entries/{accountingEntryId}', entryPath(booked)))).toBeDefined();
  },
  'see why an entry is booked so': async () => {
    const explanation = done(await api.GET('/api/v1/entries/{accountingEntryId}/explanation', entryPath(booked)));
    expect(explanation.today.entries.length).toBeGreaterThan(0);
  },
  'see why an entry failed': async () => {
    const explanation = done(await api.GET('/api/v1/entries/{accountingEntryId}/explanation', entryPath(refused)));
    expect(explanation.blockedBy).not.toEqual([]);
  },
  'list issues by amount': async () => {
    expect(done(await api.GET('/api/v1/issues', { params: { query: { sort: 'amount' } } })).data).toHaveLength(5);
  },
  'see which entries an issue blocks': async () => {
    const { data } = done(await api.GET('/api/v1/issues/{issueKey}/entries', issue('account:6475')));
    expect(data).toHaveLength(1);
  },
  'find the account that is meant': async () => {
    const { data } = done(await api.GET('/api/v1/erp/accounts', { params: { query: { search: 'small' } } }));
    expect(data).toContainEqual(expect.objectContaining({ code: '6440' }));
  },
  'resolve an issue': async () => {
    const { data } = done(await api.GET('/api/v1/issues'));
    const key = data.find(({ reference }) => reference === '6475')?.issueKey ?? '';
    const body = { rule: { target: '6440' } };
    const resolved = done(await api.POST('/api/v1/issues/{issueKey}/resolution', { ...issue(key), body }));
    version = resolved.mappingVersion ?? version;
    resolution = resolved.reexport.id;
  },
  'see whether it is in the books': async () => {
    done(await api.GET('/api/v1/reexports/{id}', { params: { path: { id: resolution } } }));
  },
  'give an issue to a colleague, with a note': async () => {
    const body = { assignee: 'Mari', note: 'which project is it?' };
    const { handling } = done(await api.PUT('/api/v1/issues/{issueKey}/handling', { ...issue('tag:prj:2612'), body }));
    expect(handling).toMatchObject(body);
  },
  'put an issue off': async () => {
    const body = { snoozedUntil: new Date(programs.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10) };
    const { state } = done(await api.PUT('/api/v1/issues/{issueKey}/handling', { ...issue('tag:prj:2612'), body }));
    expect(state).toBe('snoozed');
  },
  'leave an entry that was booked by hand': async () => {
    const body = { bookedByHand: true };
    const { state } = done(await api.PUT('/api/v1/issues/{issueKey}/handling', { ...issue('entry:sum'), body }));
    expect(state).toBe('left');
  },
  'export what was resolved elsewhere again': async () => {
    await waitUntil(async () => (await programs.clients.connector.read('/api/v1/issues', KEYS)).data.every(isNot6475));
    calls = [];
    const body = { issueKeys: ['vendor-blocked:V-00007', 'tag:prj:2612'] };
    done(await api.POST('/api/v1/issues/resolutions', { body }));
  },
  'see what of the platform is not mapped': async () => {
    const query = { state: 'unmapped', active: 'true' } as const;
    done(await api.GET('/api/v1/reference-data/categories', { params: { query } }));
  },
  'see which codes to map, with suggestions': async () => done(await api.GET('/api/v1/mapping/suggestions')),
  'preview an export with another rule': async () => {
    const rules = [{ subject: 'tax-code' as const, source: 'EE22', target: 'EE24' }];
    const { id } = done(await api.POST('/api/v1/previews', { body: { jobId: exported, limit: 1_000, rules } }));
    const query = { limit: 100 };
    done(await api.GET('/api/v1/previews/{id}/entries', { params: { path: { id }, query } }));
  },
  'add a rule': async () => {
    const { version: seen } = done(await api.GET('/api/v1/mapping/rules'));
    const params = { header: { 'If-Match': `"${seen.toString()}"` }, query: { reason: 'EE22 has ended' } };
    const body = { subject: 'tax-code' as const, source: 'EE22', target: 'EE24' };
    version = done(await api.POST('/api/v1/mapping/rules', { params, body })).version;
  },
  'post what a preview shows': async () => {
    const { id, digest } = done(await api.POST('/api/v1/previews', { body: { jobId: exported, limit: 1_000 } }));
    done(await api.POST('/api/v1/previews/{id}/commit', { params: { path: { id } }, body: { digest } }));
  },
  'see who changed the mapping, and what': async () => {
    const [latest] = done(await api.GET('/api/v1/mapping/versions')).data;
    expect(latest).toMatchObject({ reason: 'EE22 has ended' });
    const path = { from: (version - 1).toString(), to: version.toString() };
    const { rules } = done(await api.GET('/api/v1/mapping/versions/{from}/diff/{to}', { params: { path } }));
    expect(rules).toHaveLength(1);
  },
  'change a setting': async () => {
    const { accounts, policies } = done(await api.GET('/api/v1/settings'));
    const params = { header: etag() };
    const saved = done(await api.PUT('/api/v1/settings', { params, body: { accounts, policies } }));
    expect(saved.setup.ready).toBe(true);
  },
  'see what is left to set up': async () => {
    expect(done(await api.GET('/api/v1/setup')).ready).toBe(true);
  },
  'see whether the platform is connected': async () => done(await api.GET('/api/v1/connection')),
  'see what was archived or renamed there': async () => done(await api.POST('/api/v1/drift/checks')),
  'keep reference data in step now': async () => {
    done(await api.POST('/api/v1/reference-data/runs', { body: { kinds: ['accounts'] } }));
  },
  'see what proves an export': async () => {
    await waitUntil(async () => (await api.GET('/api/v1/certificates/{exportJobId}', certified())).data !== undefined);
    calls = [];
    expect(done(await api.GET('/api/v1/certificates/{exportJobId}', certified()))).toBeDefined();
  },
  'see what differs from the books': async () => done(await api.GET('/api/v1/discrepancies')),
  'close a month': async () => {
    const path = { month };
    const read = done(await api.GET('/api/v1/month-ends/{month}', { params: { path } }));
    expect(typeof read === 'string' ? [] : read.missing).not.toEqual([]);
    const body = { reason: 'three entries are with the vendor' };
    const signed = done(await api.POST('/api/v1/month-ends/{month}/sign-off', { params: { path }, body }));
    expect(signed.state).toBe('signed');
  },
  'take a month as a spreadsheet': async () => {
    const params = { path: { month }, query: { format: 'xlsx' as const } };
    const taken = await api.GET('/api/v1/month-ends/{month}', { params, parseAs: 'arrayBuffer' });
    expect(done(taken).byteLength).toBeGreaterThan(1_000);
  },
  'open a month again': async () => {
    const params = { path: { month } };
    const body = { reason: 'a late invoice' };
    expect(done(await api.POST('/api/v1/month-ends/{month}/reopening', { params, body })).state).toBe('reopened');
  },
};

const KEYS = z.object({ data: z.array(z.object({ issueKey: z.string() })) });
const isNot6475 = ({ issueKey }: { readonly issueKey: string }) => issueKey !== 'account:6475';
const certified = () => ({ params: { path: { exportJobId: exported } } });

const document = await readFile('docs/bookkeeper.md', 'utf8');
/** By task: the calls it takes, as the document has them. */
const rows = new Map(
  [...document.matchAll(/^\| ([^|`]+) \| (\d+) \| (`[^|]+) \|$/gm)].map(([, task = '', count = '', made = '']) => [
    task,
    { count: Number(count), made: [...made.matchAll(/`([^`]+)`/g)].map(([, call = '']) => call) },
  ]),
);

it('the document lists the same 37 tasks', () => {
  expect([...rows.keys()]).toEqual(Object.keys(TASKS));
  expect(rows.size).toBe(37);
});

it.each(Object.entries(TASKS))('%s', async (task, perform) => {
  calls = [];
  await perform();
  const made = calls.map((call) => call.replace('/api/v1', ''));
  expect({ count: made.length, made }).toEqual({
    count: rows.get(task)?.count,
    made: rows.get(task)?.made.map(patternOf),
  });
});

/** `GET /jobs/{id}` stands for any id. */
function patternOf(call: string): unknown {
  const pattern = call.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return expect.stringMatching(new RegExp(`^${pattern}$`));
}
