// Platform and accounting system that answer from memory, as one process: exports and postings themselves, everything else
// by asking the real program once. Told what to do, and telling what it has seen, over the channel of its parent.
import { Buffer } from 'node:buffer';
import { Agent, createServer, request as httpRequest } from 'node:http';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cardPurchase } from '../programs.mjs';

const PAGE = 100;
const agent = new Agent({ keepAlive: true });
const [platform, ledger] = process.argv.slice(2);

/** Text of an item without its id; the id is put between the two parts. */
const [BEFORE_ID, AFTER_ID] = JSON.stringify({ ...cardPurchase(1), accountingEntryId: '#' }).split('#');

let latencyMs = 0;
/** To the platform, since there are new jobs. */
let requests = 0;
/** By the part of their ids that all of their items begin with. */
const jobs = new Map();
const copies = new Map();
const groups = new Map();

process.on('message', ({ newJobs = [], latency, wanted }) => {
  if (wanted === 'requests') {
    process.send({ requests });
  }
  if (newJobs.length > 0) {
    groups.clear();
    requests = 0;
  }
  for (const job of newJobs) {
    const nothing = { status: 'pending', results: 0, posted: 0, failed: 0 };
    jobs.set(prefixOf(job.id), { ...job, ...nothing, createdAt: new Date().toISOString() });
  }
  latencyMs = latency ?? latencyMs;
});

function prefixOf(id) {
  return id.slice(0, 24);
}

function idAt(job, index) {
  return `${prefixOf(job.id)}${index.toString(16).padStart(12, '0')}`;
}

/** A cursor is the number of items before the page. */
function page(job, query, element) {
  const first = Number(query.get('after')?.slice(1) ?? query.get('offset') ?? 0);
  const end = Math.min(first + Number(query.get('limit') ?? PAGE), job.count);
  const elements = Array.from({ length: end - first }, (_, index) => element(idAt(job, first + index)));
  const more = end < job.count;
  return `{"data":[${elements.join(',')}],"pagination":{"hasNextPage":${more},"hasPreviousPage":${first > 0},"endCursor":"C${end}"}}`;
}

function jobBody({ id, companyId, status, count, createdAt }) {
  return { id, companyId, status, numberOfItems: count, createdAt, expiresIn: 3_600, vendorBasedBookkeeping: false };
}

function answerPlatform(method, url, body) {
  requests += 1;
  const { pathname, searchParams } = new URL(url, platform);
  if (pathname === '/v3/export-jobs' && method === 'GET') {
    const data = [...jobs.values()].filter(
      ({ companyId, status }) =>
        companyId === searchParams.get('company_id') && (status === 'pending' || status === 'in_progress'),
    );
    const pagination = { hasNextPage: false, hasPreviousPage: false, endCursor: null };
    return JSON.stringify({ data: data.map(jobBody), pagination });
  }
  // A worker that was ended with its last word under way says it again, of a job before.
  const event = pathname === '/v3/export-job-events' ? JSON.parse(body) : undefined;
  const asked = jobs.get(prefixOf(event?.jobId ?? searchParams.get('job_id') ?? pathname.split('/')[3] ?? ''));
  if (asked === undefined || !/^\/v3\/export/.test(pathname)) {
    return undefined;
  }
  asked.beganAt ??= performance.now();
  if (event !== undefined) {
    take(asked, event.event);
    return '{}';
  }
  if (method === 'PUT') {
    const results = JSON.parse(body);
    asked.results += results.filter(({ status }) => status === 'successful').length;
    asked.failed += results.filter(({ status }) => status === 'failed').length;
    const data = results.map(({ accountingEntryId, status }) => ({ accountingEntryId, status }));
    return JSON.stringify({ data, errors: [] });
  }
  if (pathname === '/v3/export-items') {
    return page(asked, searchParams, (id) => BEFORE_ID + id + AFTER_ID);
  }
  return pathname.endsWith('/items')
    ? page(asked, searchParams, (id) => `{"accountingEntryId":"${id}","status":"pending"}`)
    : JSON.stringify({ data: jobBody(asked) });
}

function take(asked, event) {
  asked.status = event === 'started' ? 'in_progress' : event;
  if (event !== 'started') {
    const { id, status, results, failed, posted, beganAt } = asked;
    process.send({ id, status, results, failed, posted, beganAt, endedAt: performance.now() });
  }
}

function answerLedger(method, url, body) {
  if (method !== 'POST' || !/\/posting-groups(:lookup)?$/.test(url)) {
    return undefined;
  }
  if (url.endsWith(':lookup')) {
    const data = JSON.parse(body).keys.map((key) => groups.get(key) ?? { outcome: 'absent', key });
    return JSON.stringify({ data });
  }
  const outcomes = JSON.parse(body).groups.map(({ key, revision, contentDigest, entries }) => {
    const posted = entries.map(({ role }) => ({
      id: `je-${key}-${role}`,
      role,
      state: 'posted',
      number: null,
      url: '/',
    }));
    const known = groups.has(key);
    groups.set(key, { outcome: 'found', key, contentDigest, revision, reversed: false, entries: posted, warnings: [] });
    jobs.get(prefixOf(key)).posted += known ? 0 : 1;
    return { outcome: known ? 'existed' : 'created', key, revision, entries: posted, warnings: [] };
  });
  return JSON.stringify({ outcomes });
}

/** What is asked again is answered from memory. */
async function answerOfReal(origin, incoming, body) {
  const known = incoming.method === 'GET' ? copies.get(origin + incoming.url) : undefined;
  if (known !== undefined) {
    return known;
  }
  const answer = await new Promise((resolve, reject) => {
    const { method, url, headers } = incoming;
    const outgoing = httpRequest(
      origin + url,
      { method, headers: { ...headers, host: new URL(origin).host }, agent },
      async (response) => {
        const chunks = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({
          status: response.statusCode,
          type: response.headers['content-type'],
          text: Buffer.concat(chunks).toString(),
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  if (incoming.method === 'GET' && answer.status === 200) {
    copies.set(origin + incoming.url, answer);
  }
  return answer;
}

function serve(origin, answer) {
  const server = createServer(async (incoming, response) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const text = answer(incoming.method, incoming.url, body);
    if (latencyMs > 0) await sleep(latencyMs);
    const { status, type, text: real } = text === undefined ? await answerOfReal(origin, incoming, body) : {};
    response.writeHead(status ?? 200, { 'content-type': type ?? 'application/json' });
    response.end(text ?? real);
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://localhost:${server.address().port}`)),
  );
}

process.send({ platform: await serve(platform, answerPlatform), ledger: await serve(ledger, answerLedger) });
