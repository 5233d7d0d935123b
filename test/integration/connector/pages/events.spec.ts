import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PageEventReader } from '../../../../src/connector/page-events/page-event.reader.js';
import { DeleteOldPageEvents } from '../../../../src/connector/page-events/delete-old-page-events.js';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { connectAsAdmin, databaseVariables } from '../../../support/test-database.js';

// What open pages receive, by two API processes on one database.

interface Sent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Once {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly reset: boolean;
  readonly lastEventId: string;
}

const one = startedOnce(startConnectorApp);
const two = startedOnce(() => startConnectorApp({ ...databaseVariables(one.server.url) }));

let mine: StoredInstallation;
let token: string;
let open: AbortController;

beforeEach(async () => {
  mine = await storeInstallation(one, 'Mine');
  token = await newToken(mine);
  open = new AbortController();
});

afterEach(() => {
  open.abort();
});

const newToken = ({ id }: StoredInstallation) => createToken(one, id, 'viewer');

async function addressOf({ app }: ConnectorUnderTest): Promise<string> {
  const { server } = app.getHttpAdapter().getInstance();
  return server.listening ? app.getUrl() : app.listen(0, '127.0.0.1').then(() => app.getUrl());
}

const requestStream = async (program: ConnectorUnderTest, bearer: string, lastEventId?: string) =>
  fetch(`${await addressOf(program)}/api/v1/events`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${bearer}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: open.signal,
  });

/** A page: what the stream has said so far is read until something of it is found. */
class Page {
  private buffer = '';
  readonly received: Sent[] = [];

  private constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  static async open(program: ConnectorUnderTest, bearer: string, lastEventId?: string): Promise<Page> {
    const { status, headers, body } = await requestStream(program, bearer, lastEventId);
    // Every client of the tests takes compressed answers, and a compressed stream would wait until there is enough of it.
    const names = ['content-type', 'cache-control', 'connection', 'content-encoding', 'etag'];
    expect([status, ...names.map((name) => headers.get(name))]).toEqual([
      200,
      'text/event-stream',
      'no-store',
      'close',
      null,
      null,
    ]);
    if (body === null) {
      throw new Error('no stream');
    }
    return new Page(body.getReader());
  }

  get lastEventId(): string | undefined {
    return this.received.findLast(({ id }) => id !== undefined)?.id;
  }

  /** @returns false at the end of the stream */
  async read(): Promise<boolean> {
    const { done, value } = await this.reader.read();
    const blocks = `${this.buffer}${Buffer.from(value ?? []).toString()}`.split('\n\n');
    this.buffer = blocks.pop() ?? '';
    this.received.push(...blocks.map(parse));
    return !done;
  }

  async until(isThere: (sent: Sent) => boolean): Promise<Sent> {
    for (;;) {
      const found = this.received.find(isThere);
      if (found !== undefined) {
        return found;
      }
      if (!(await this.read())) {
        throw new Error(`the stream has ended after ${JSON.stringify(this.received)}`);
      }
    }
  }

  async close(): Promise<void> {
    await this.reader.cancel();
  }
}

function parse(block: string): Sent {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}') as Sent['data'],
  };
}

const isReady = ({ event }: Sent) => event === 'ready';
const isOf = (subject: string, state?: string) => (sent: Sent) =>
  sent.data['subject'] === subject && (state === undefined || sent.data['state'] === state);

async function storeJob(state = 'detected', of = mine): Promise<string> {
  const id = randomUUID();
  await one.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, $4, 2, false, now(), now() + interval '1 hour', now(), now())`,
    [of.id, id, of.companyId, state],
  );
  return id;
}

const setState = (id: string, state: string) =>
  one.admin.query(`UPDATE export_job SET state = $2, version = version + 1 WHERE id = $1`, [id, state]);

async function failEntries(issueKey: string, jobId: string, entryIds: readonly string[]): Promise<void> {
  await one.admin.query(
    `INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
     VALUES ($1, $2, 'account', 'x', 'account_unknown', 'unknown', now(), now()) ON CONFLICT DO NOTHING`,
    [mine.id, issueKey],
  );
  await one.admin.query(
    `INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, first_seen_at, last_seen_at)
     SELECT $1, $2, id, $3, now(), now() FROM unnest($4::uuid[]) AS id`,
    [mine.id, issueKey, jobId, entryIds],
  );
}

const clearEntries = (jobId: string) =>
  one.admin.query(`UPDATE failed_entry SET cleared_at = now(), cleared_by_job_id = $2 WHERE installation_id = $1`, [
    mine.id,
    jobId,
  ]);

/** An event is sent once no older transaction is open, and those of tests beside this one on the same server count. */
async function ownEventsAreOver({ id }: StoredInstallation): Promise<void> {
  const open = `SELECT FROM page_event WHERE installation_id = $1 AND xid >= pg_snapshot_xmin(pg_current_snapshot())`;
  while ((await one.admin.query(open, [id])).rows.length > 0) {
    // The next query is a round trip later.
  }
}

async function ask(after?: string, bearer = token): Promise<Once> {
  const url = `/api/v1/events${after === undefined ? '' : `?since=${after}`}`;
  const answer = await two.app.inject({ url, headers: { authorization: `Bearer ${bearer}` } });
  expect(answer.statusCode).toBe(200);
  return answer.json<Once>();
}

describe('an open page', () => {
  it('receives events of exports and issues from any process', async () => {
    const pages = [await Page.open(one, token), await Page.open(two, token)];
    await Promise.all(pages.map((page) => page.until(isReady)));
    const job = await storeJob();
    await Promise.all(pages.map((page) => page.until(isOf(job, 'detected'))));
    await setState(job, 'running');
    await failEntries('account:6420', job, [randomUUID(), randomUUID()]);
    await Promise.all(pages.map((page) => page.until(isOf(job, 'running'))));
    await Promise.all(pages.map((page) => page.until(isOf('account:6420', 'open'))));
    await clearEntries(job);
    await Promise.all(pages.map((page) => page.until(isOf('account:6420', 'closed'))));
    const [first] = pages;
    expect(first?.received.find(isOf(job, 'detected'))).toMatchObject({ event: 'job', data: { kind: 'job' } });
    expect(first?.received.find(isOf('account:6420', 'open'))).toMatchObject({ event: 'issue' });
  }, 30_000);

  it('receives the progress of a running export, without an event for each item', async () => {
    const job = await storeJob('running');
    const before = await ask();
    await one.admin.query(
      `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id, exported_at)
       SELECT $1, $2, gen_random_uuid(), n, 'successful', 'J', now() FROM generate_series(1, 2) n`,
      [mine.id, job],
    );
    expect((await ask(before.lastEventId)).data).toEqual([]);
    const page = await Page.open(one, token);
    expect(await page.until(({ event }) => event === 'progress')).toMatchObject({
      id: undefined,
      data: { id: job, state: 'running', numberOfItems: 2, successful: 2, failed: 0 },
    });
  }, 30_000);

  it('that was disconnected receives the missed events, each change once, also from another process', async () => {
    const page = await Page.open(one, token);
    await page.until(isReady);
    await page.close();
    const jobs = [await storeJob(), await storeJob()];
    await setState(jobs[0] ?? '', 'running');
    const back = await Page.open(two, token, page.lastEventId);
    // Whatever writes anywhere on the server holds events back until it ends.
    await back.until(isOf(jobs[1] ?? '', 'detected'));
    const received = back.received
      .filter(({ event }) => event === 'job')
      .map(({ data }) => [data['subject'], data['state']]);
    expect(received).toEqual([
      [jobs[0], 'running'],
      [jobs[1], 'detected'],
    ]);
  });

  it('misses no event of a transaction that began early and ends late', async () => {
    const { lastEventId } = await ask();
    const late = await connectAsAdmin(one.server.url);
    await late.query('BEGIN');
    const lateJob = randomUUID();
    await late.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at)
       VALUES ($1, $2, $3, 'detected', 2, false, now(), now(), now(), now())`,
      [mine.id, lateJob, mine.companyId],
    );
    const soonJob = await storeJob();
    const between = await ask(lastEventId);
    await late.query('COMMIT');
    await late.end();
    const after = await Page.open(two, token, between.lastEventId);
    await after.until(isOf(lateJob));
    // Whatever writes anywhere on the server and began between the two holds only the second one back.
    if (!between.data.some(({ subject }) => subject === soonJob)) {
      await after.until(isOf(soonJob));
    }
    const received = [...between.data, ...after.received.map(({ data }) => data)].flatMap(({ kind, subject }) =>
      kind === 'job' ? [subject] : [],
    );
    expect(received.sort()).toEqual([lateJob, soonJob].sort());
  });

  it('that was disconnected for too long, or has a later position, reloads everything', async () => {
    const { lastEventId } = await ask();
    const [horizon = '', seconds = ''] = lastEventId.split('.');
    const hourAgo = `${horizon}.${(Number(seconds) - 3_601).toString()}`;
    expect(await ask(hourAgo)).toMatchObject({ data: [], reset: true });
    expect(await ask(`${(BigInt(horizon) + 1_000_000n).toString()}.${seconds}`)).toMatchObject({ reset: true });
    const page = await Page.open(one, token, hourAgo);
    expect(await page.until(({ event }) => event === 'reset')).toMatchObject({ id: expect.any(String) });
    for (const bad of ['1', 'x.1', `${horizon}.${seconds}.1`, '99999999999999999999.1']) {
      expect((await requestStream(one, token, bad)).status).toBe(400);
    }
  });

  it('receives its events while those of another company cannot be read', async () => {
    const other = await storeInstallation(one, 'Other');
    const pages = [await Page.open(one, await newToken(other)), await Page.open(one, token)];
    await Promise.all(pages.map((page) => page.until(isReady)));
    const reader = one.app.get(PageEventReader, { strict: false });
    const read = reader.readSince.bind(reader);
    const reading = jest
      .spyOn(reader, 'readSince')
      .mockImplementation((id, after) => (id === other.id ? Promise.reject(new Error('too long')) : read(id, after)));
    try {
      const [ofOther, job] = [await storeJob('detected', other), await storeJob()];
      await pages[1]?.until(isOf(job, 'detected'));
      reading.mockRestore();
      await pages[0]?.until(isOf(ofOther, 'detected'));
    } finally {
      reading.mockRestore();
    }
  }, 30_000);

  it('receives at the next look what could not be read at one', async () => {
    const page = await Page.open(one, token);
    await page.until(isReady);
    const reader = one.app.get(PageEventReader, { strict: false });
    const [read, looking] = [reader.readSince.bind(reader), jest.spyOn(reader, 'findNews')];
    let failures = 0;
    const reading = jest.spyOn(reader, 'readSince').mockImplementation((id, after) => {
      failures += id === mine.id ? 1 : 0;
      return id === mine.id && failures === 1 ? Promise.reject(new Error('too long')) : read(id, after);
    });
    const job = await storeJob();
    await page.until(isOf(job, 'detected'));
    // One look may have come before the event; without a look at what failed it would take the fifteen to a sign of life.
    expect([failures > 1, looking.mock.calls.length <= 4]).toEqual([true, true]);
    reading.mockRestore();
    looking.mockRestore();
  }, 30_000);

  it('that is opened while a look for the others is under way receives what happens then at the next look', async () => {
    await (await Page.open(one, await newToken(await storeInstallation(one, 'Other')))).until(isReady);
    const reader = one.app.get(PageEventReader, { strict: false });
    const find = reader.findNews.bind(reader);
    const opened = Promise.withResolvers<{ readonly page: Page; readonly job: string }>();
    const looking = jest.spyOn(reader, 'findNews').mockImplementationOnce(async (...asked) => {
      const page = await Page.open(one, token);
      await page.until(isReady);
      const job = await storeJob();
      await ownEventsAreOver(mine);
      opened.resolve({ page, job });
      return find(...asked);
    });
    const { page, job } = await opened.promise;
    await page.until(isOf(job, 'detected'));
    expect(looking.mock.calls.length).toBeLessThanOrEqual(4);
    looking.mockRestore();
  }, 30_000);

  it('receives nothing of another company', async () => {
    const installation = await storeInstallation(one, 'Other');
    await ownEventsAreOver(installation);
    const other = await newToken(installation);
    const { lastEventId } = await ask(undefined, other);
    await failEntries('account:6420', await storeJob(), [randomUUID()]);
    expect((await ask(lastEventId, other)).data).toEqual([]);
  });

  it('ends with its token', async () => {
    const page = await Page.open(one, token);
    await page.until(isReady);
    await one.admin.query(`UPDATE api_token SET expires_at = now() WHERE installation_id = $1`, [mine.id]);
    while (await page.read());
    expect((await requestStream(one, token)).status).toBe(401);
  }, 40_000);

  it('is one of at most six per token', async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => Page.open(one, token)));
    const refused = await requestStream(one, token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.json()).toMatchObject({ type: 'urn:problem:too-many-streams' });
    await pages[0]?.close();
    // The server sees the end of a connection a moment later.
    for (let status = 429; status === 429;) {
      ({ status } = await requestStream(one, token));
    }
  });
});

it('events are kept for two hours', async () => {
  const old = await storeJob();
  const young = await storeJob();
  await one.admin.query(
    `UPDATE page_event SET occurred_at = now() - interval '121 minutes'
     WHERE installation_id = $1 AND kind = 'job' AND subject = $2`,
    [mine.id, old],
  );
  await one.app.get(DeleteOldPageEvents).deleteOld();
  const { rows } = await one.admin.query<{ subject: string }>(
    `SELECT subject FROM page_event WHERE installation_id = $1 AND kind = 'job'`,
    [mine.id],
  );
  expect(rows).toEqual([{ subject: young }]);
});
