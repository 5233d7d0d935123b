// The rivals, as one process with PostgreSQL and HTTP of its own: what a script without any care costs, and one with the least
// of it. `A`: pages ahead, one insert for 500 entries, posts of 500, results of 100. `A2`: as A, with the intent committed before
// each post and its outcome after. `B`: item by item.
import { Agent, request } from 'node:http';
import process from 'node:process';
import pg from 'pg';

const BATCH = 500;
const RESULTS = 100;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const [databaseUrl, platform, ledger] = process.argv.slice(2);
/** The real programs ask for keys, the platform for one of the job's company; those that answer from memory do not. */
const { LEDGER_KEY: ledgerKey = '' } = process.env;
const platformKeys = new Map();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
await pool.query(`CREATE TABLE IF NOT EXISTS public.script_entry (job uuid, id uuid, plan jsonb, state text, external_id text,
  PRIMARY KEY (job, id))`);

function call(method, url, body, key) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        agent,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
        },
      },
      async (response) => {
        let text = '';
        response.setEncoding('utf8');
        for await (const chunk of response) text += chunk;
        if (response.statusCode >= 300) {
          reject(new Error(`${method} ${url} was answered with ${response.statusCode}: ${text.slice(0, 500)}`));
          return;
        }
        resolve(text === '' ? undefined : JSON.parse(text));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

function ofPlatform(method, job, path, body) {
  return call(method, `${platform}${path}`, body, platformKeys.get(job));
}

async function* pages(job, limit) {
  const pageAfter = (cursor) => ofPlatform('GET', job, `/v3/export-items?job_id=${job}&limit=${limit}${cursor}`);
  let next = pageAfter('');
  while (next !== undefined) {
    const { data, pagination } = await next;
    next = pagination.hasNextPage ? pageAfter(`&after=${pagination.endCursor}`) : undefined;
    yield data;
  }
}

function entryOf(item) {
  const { inWalletCurrency } = item.amount;
  const lines = item.accountingEntryLines.map(({ lineAmount, account }) => ({
    accountCode: account.code,
    amountMinor: String(lineAmount.inWalletCurrency.value),
    baseMinor: String(lineAmount.inWalletCurrency.value),
    dimensions: {},
  }));
  const contra = {
    accountCode: '1130',
    amountMinor: String(-inWalletCurrency.value),
    baseMinor: String(-inWalletCurrency.value),
    dimensions: {},
  };
  const entry = {
    role: 'entry',
    state: 'posted',
    postingDate: item.date.slice(0, 10),
    currency: inWalletCurrency.currency,
    description: item.note,
    reference: item.additionalInformation.reconciliationId,
    lines: [...lines, contra],
  };
  return {
    key: item.accountingEntryId,
    revision: 1,
    contentDigest: item.accountingEntryId,
    entries: [entry],
    documents: [],
  };
}

const post = (company, groups) => call('POST', `${ledger}/companies/${company}/posting-groups`, { groups }, ledgerKey);
const report = (job, results) => ofPlatform('PUT', job, `/v3/export-jobs/${job}/items`, results);
const resultOf = ({ key, entries }) => ({ accountingEntryId: key, status: 'successful', externalId: entries[0].id });

async function insert(job, groups, state, ids = groups.map(() => null)) {
  await pool.query(
    `INSERT INTO public.script_entry SELECT $1, * FROM unnest($2::uuid[], $3::jsonb[], $4::text[], $5::text[])`,
    [
      job,
      groups.map(({ key }) => key),
      groups.map(({ entries }) => JSON.stringify(entries)),
      groups.map(() => state),
      ids,
    ],
  );
}

async function inBatches(job, company, withIntents) {
  const reports = [];
  const finish = async (groups) => {
    if (withIntents) await insert(job, groups, 'sent');
    const { outcomes } = await post(company, groups);
    const refused = outcomes.find(({ entries }) => entries === undefined);
    if (refused !== undefined) throw new Error(`not posted: ${JSON.stringify(refused)}`);
    const ids = outcomes.map(({ entries }) => entries[0].id);
    if (withIntents) {
      await pool.query(
        `UPDATE public.script_entry SET state = 'posted', external_id = outcome.external_id
         FROM unnest($2::uuid[], $3::text[]) AS outcome (id, external_id) WHERE job = $1 AND script_entry.id = outcome.id`,
        [job, outcomes.map(({ key }) => key), ids],
      );
    } else {
      await insert(job, groups, 'posted', ids);
    }
    for (let first = 0; first < outcomes.length; first += RESULTS) {
      reports.push(report(job, outcomes.slice(first, first + RESULTS).map(resultOf)));
    }
  };
  let waiting = [];
  let posting = Promise.resolve();
  for await (const page of pages(job, 100)) {
    waiting.push(...page.map(entryOf));
    if (waiting.length >= BATCH) {
      await posting;
      posting = finish(waiting);
      waiting = [];
    }
  }
  await posting;
  if (waiting.length > 0) await finish(waiting);
  await Promise.all(reports);
}

async function oneByOne(job, company) {
  for await (const page of pages(job, 100)) {
    for (const group of page.map(entryOf)) {
      await insert(job, [group], 'sent');
      const { outcomes } = await post(company, [group]);
      await pool.query(`UPDATE public.script_entry SET state = 'posted' WHERE job = $1 AND id = $2`, [job, group.key]);
      await report(job, outcomes.map(resultOf));
    }
  }
}

const rivals = {
  A: (job, company) => inBatches(job, company, false),
  A2: (job, company) => inBatches(job, company, true),
  B: oneByOne,
};

process.on('message', async ({ rival, job, company, platformKey = '' }) => {
  platformKeys.set(job, platformKey);
  const tell = (event) => ofPlatform('POST', job, '/v3/export-job-events', { event, jobId: job });
  await tell('started');
  await rivals[rival](job, company);
  await tell('completed');
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
