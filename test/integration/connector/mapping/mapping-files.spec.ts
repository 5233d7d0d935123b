import { withPlan } from '../../../support/stored-plans.js';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountRule, MappingHarness, type MappingResponse, type MappingTenant } from './mapping-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const HEADER = 'subject,sourceGroup,source,itemType,tagGroup,tag,targetGroup,target\r\n';

const harness = startedOnce(() => MappingHarness.start());
let tenant: MappingTenant;

beforeEach(async () => {
  harness.erp.restore();
  tenant = await harness.addTenant();
});

interface Sending {
  readonly of?: MappingTenant;
  readonly type?: string;
  readonly query?: string;
}

function send(seen: number, file: string | Buffer, { of = tenant, type = 'text/csv', query = '' }: Sending = {}) {
  const headers = { 'content-type': type };
  return harness.send(of, 'POST', `/mapping/rules/import${query}`, { seen, headers, body: file });
}

async function commit(seen: number, file: string | Buffer, more: Sending = {}): Promise<MappingResponse> {
  const { query = '?mode=merge' } = more;
  const dry = await send(seen, file, { ...more, query });
  return send(seen, file, {
    ...more,
    query: `${query}&dryRun=false&checksum=${String(dry.body['checksum'])}`,
  });
}

const exported = (query = '', of = tenant) =>
  harness.send(of, 'GET', `/mapping/rules/export${query}`, { as: 'viewer' });
const versionNow = async () => (await harness.send(tenant, 'GET', '/mapping/rules')).etag;

/** An entry that one rule decided, sent to the ERP some days ago. */
async function storeIntent(ruleId: string, daysAgo: number): Promise<void> {
  const job = randomUUID();
  const plan = [{ lines: [{ account: { code: '6071', decision: { by: 'rule', ruleId } } }] }];
  await harness.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $2, 'running', 1, false, now(), now(), now(), now())`,
    [tenant.installationId, job],
  );
  await harness.admin.query(
    `${withPlan('$1', '$2', '$2', '$3')}
     INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
       content_digest, plan_chunk_id, fence, state, created_at)
     SELECT $1, 'erp-company', $2, $2, 1, 'digest', id, 1, 'sent', now() - make_interval(days => $4) FROM chunk`,
    [tenant.installationId, job, JSON.stringify(plan), daysAgo],
  );
}

describe('a file of rules', () => {
  const FILE = 'subject;source;target;itemType\n\naccount;404;6071;\naccount;0100;6110;fee\n';

  it('is validated first, then saved by the checksum of the validation', async () => {
    const dry = await send(1, FILE);
    expect(dry).toMatchObject({
      status: 200,
      etag: '"1"',
      body: {
        version: 1,
        saved: false,
        counts: { added: 2, changed: 0, removed: 0 },
        changes: [
          {
            change: 'added',
            id: '1',
            before: null,
            after: { source: '404', target: '6071', itemType: null },
          },
          { change: 'added', id: '2', before: null, after: { source: '0100', itemType: 'fee' } },
        ],
      },
    });
    expect(await versionNow()).toBe('"1"');
    const checksum = String(dry.body['checksum']);
    const saved = await send(1, FILE, {
      query: `?dryRun=false&checksum=${checksum}&reason=Plan%20f%C3%BCr%202027`,
    });
    expect(saved).toMatchObject({ status: 200, etag: '"2"', body: { version: 2, saved: true } });
    const { body } = await harness.send(tenant, 'GET', '/mapping/versions/2', { as: 'viewer' });
    expect(body).toMatchObject({
      action: 'import',
      reason: 'Plan für 2027',
      rules: { added: 2 },
      ruleCount: 2,
    });
  });

  it('that changes nothing creates no version', async () => {
    await commit(1, FILE);
    const again = await commit(2, FILE);
    expect(again).toMatchObject({ status: 200, etag: '"2"', body: { saved: false, counts: { added: 0 } } });
  });

  it('changes the rule with the same key, which keeps its number', async () => {
    await commit(1, FILE);
    const answer = await commit(2, 'subject,source,target\naccount,404,5410\naccount,405,5410\n');
    expect(answer.body).toMatchObject({
      counts: { added: 1, changed: 1, removed: 0 },
      changes: [
        { change: 'changed', id: '1', before: { target: '6071' }, after: { target: '5410' } },
        { change: 'added', id: '3' },
      ],
    });
  });

  it('deletes missing rules only when it replaces all', async () => {
    await commit(1, FILE);
    const answer = await commit(2, 'subject,source,target\naccount,404,6071\n', { query: '?mode=replace' });
    expect(answer.body).toMatchObject({ version: 3, counts: { added: 0, changed: 0, removed: 1 } });
  });

  it('that removes a rule used lately has to be confirmed', async () => {
    await commit(1, FILE);
    await storeIntent('1', 29);
    await storeIntent('2', 31);
    const onlyNew = 'subject,source,target\naccount,405,6071\n';
    const dry = await send(2, onlyNew, { query: '?mode=replace' });
    expect(dry.body).toMatchObject({ counts: { added: 1, removed: 2 }, removedInUse: ['1'] });
    const query = `?mode=replace&dryRun=false&checksum=${String(dry.body['checksum'])}`;
    const unconfirmed = await send(2, onlyNew, { query });
    expect(unconfirmed).toMatchObject({
      status: 409,
      body: { type: 'urn:problem:confirmation-needed', removedInUse: ['1'] },
    });
    expect(await versionNow()).toBe('"2"');
    expect((await send(2, onlyNew, { query: `${query}&confirm=true` })).body).toMatchObject({ version: 3 });
  });

  it.each([
    ['another file', `${FILE}account;405;6071;\n`, '?mode=merge', 1],
    ['another mode', FILE, '?mode=replace', 1],
  ])('is not saved by a checksum of %s', async (_, file, query, seen) => {
    const dry = await send(1, FILE, { query: '?mode=merge' });
    const answer = await send(seen, file, {
      query: `${query}&dryRun=false&checksum=${String(dry.body['checksum'])}`,
    });
    expect([answer.status, answer.body['type']]).toEqual([409, 'urn:problem:checksum-mismatch']);
    expect(await versionNow()).toBe('"1"');
  });

  it('is not saved by another installation’s checksum', async () => {
    const other = await harness.addTenant();
    const dry = await send(1, FILE, { of: other });
    const answer = await send(1, FILE, { query: `?dryRun=false&checksum=${String(dry.body['checksum'])}` });
    expect(answer.status).toBe(409);
  });

  it('is not saved after another member has saved', async () => {
    const dry = await send(1, FILE);
    await harness.send(tenant, 'POST', '/mapping/rules', { seen: 1, body: accountRule('1', '6071') });
    const query = `?dryRun=false&checksum=${String(dry.body['checksum'])}`;
    expect((await send(1, FILE, { query })).status).toBe(412);
    expect((await send(2, FILE, { query })).status).toBe(409);
  });

  it('by two people at the same time is saved once', async () => {
    const dry = await send(1, FILE);
    const query = `?dryRun=false&checksum=${String(dry.body['checksum'])}`;
    const answers = await Promise.all([send(1, FILE, { query }), send(1, FILE, { query })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it.each([
    ['?dryRun=false', 400],
    [`?dryRun=true&checksum=${'0'.repeat(64)}`, 400],
    ['?dryRun=maybe', 400],
    ['?dryRun=false&checksum=x', 400],
    ['?mode=append', 400],
  ])('with %s is a bad request', async (query, status) => {
    expect((await send(1, FILE, { query })).status).toBe(status);
  });

  it('requires the version that it changes', async () => {
    const answer = await harness.send(tenant, 'POST', '/mapping/rules/import', {
      headers: { 'content-type': 'text/csv' },
      body: FILE,
    });
    expect(answer.status).toBe(428);
  });

  it('of JSON behaves the same', async () => {
    const file = JSON.stringify({ rules: [accountRule('404', '6071'), accountRule('405', '6110')] });
    expect((await commit(1, file, { type: 'application/json' })).body).toMatchObject({
      version: 2,
      saved: true,
    });
  });
});

describe('an invalid file', () => {
  it.each([
    ['a workbook', Buffer.from('PK\u0003\u0004rest'), 415],
    ['a PDF', Buffer.from('%PDF-1.7'), 415],
    ['a compressed file', gzipSync('subject,source,target'), 415],
    ['bytes', Buffer.from('subject,source,target\n\u0000'), 415],
    ['UTF-16', Buffer.from('\ufeffsubject', 'utf16le'), 422],
    ['Latin-1', Buffer.from('subject,source,target\naccount,Büro,6071\n', 'latin1'), 422],
    ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1, 'x'), 413],
  ])('is refused as %s', async (_, file, status) => {
    const answer = await send(1, file);
    expect([answer.status, answer.type]).toEqual([status, 'application/problem+json']);
  });

  it('that is too large is refused with what to do: JSON of all rules may be larger than what is imported at once', async () => {
    const rules = Array.from({ length: 30_000 }, (_, index) => ({
      subject: 'account',
      source: index.toString(),
      target: '6071',
      note: 'x'.repeat(120),
    }));
    const refused = await send(1, JSON.stringify({ rules }), { type: 'application/json' });
    expect([refused.status, refused.body['detail']]).toEqual([
      413,
      expect.stringContaining('in several smaller parts'),
    ]);
  });

  it('is refused as another content type', async () => {
    expect((await send(1, '<x/>', { type: 'text/xml' })).status).toBe(415);
  });

  it('is refused with more than 50 000 rows', async () => {
    const rows = Array.from({ length: 50_001 }, (_, index) => `account,${index.toString()},6071\n`);
    expect((await send(1, `subject,source,target\n${rows.join('')}`)).status).toBe(413);
  });

  it('has every error reported by line and column, and nothing of it is saved', async () => {
    const file = [
      'subject,source,target',
      'account,404,6071',
      'account,404,6110',
      'vendor,1,6071',
      'account,1E+05,6071',
      'account,=cmd(),6071',
      'account,7',
      'account,8,9999',
    ].join('\n');
    const answer = await send(1, file);
    expect([answer.status, answer.body['errorCount']]).toEqual([422, 6]);
    expect(MappingHarness.problemsOf(answer)).toEqual([
      ['2 source', 'overlap'],
      ['3 source', 'overlap'],
      ['4 subject', 'unknown-subject'],
      ['5 source', 'spreadsheet-artifact'],
      ['6 source', 'formula'],
      ['7 null', 'wrong-number-of-cells'],
    ]);
    const targets = await send(1, 'subject,source,target\naccount,7,6071\naccount,8,9999\naccount,9,4711\n');
    expect(MappingHarness.problemsOf(targets)).toEqual([
      ['3 target', 'target-inactive'],
      ['4 target', 'target-missing'],
    ]);
    expect(await versionNow()).toBe('"1"');
  });

  it('has its errors reported in the language of the reader', async () => {
    const headers = { 'content-type': 'text/csv', 'accept-language': 'de' };
    const body = 'subject,source,target\naccount,7,6071\naccount,8,9999\naccount,9,4711\n';
    const answer = await harness.send(tenant, 'POST', '/mapping/rules/import', { seen: 1, headers, body });
    expect(answer.body['errors']).toEqual([
      {
        line: 3,
        column: 'target',
        code: 'target-inactive',
        detail: expect.stringMatching(/^Das Konto 9999 .*ist nicht aktiv/),
      },
      {
        line: 4,
        column: 'target',
        code: 'target-missing',
        detail: expect.stringMatching(/^Die Buchhaltung hat kein Konto 4711/),
      },
    ]);
  });

  it('has its first 100 errors reported', async () => {
    const answer = await send(1, `subject,source,target\n${'account,,6071\n'.repeat(150)}`);
    expect(answer.body['errorCount']).toBe(150);
    expect(MappingHarness.problemsOf(answer)).toHaveLength(100);
  });

  it('is refused by routes that expect JSON', async () => {
    const answer = await harness.send(tenant, 'POST', '/mapping/rules', {
      seen: 1,
      headers: { 'content-type': 'text/csv' },
      body: 'subject,source,target',
    });
    expect([answer.status, answer.type]).toEqual([415, 'application/problem+json']);
  });
});

describe('the exported file', () => {
  it('is CSV with guarded formulas, and JSON', async () => {
    await harness.send(tenant, 'POST', '/mapping/rules/bulk', {
      seen: 1,
      body: {
        upserts: [
          { subject: 'tag', sourceGroup: '@home', source: '\'a, "b"', targetGroup: 'CC', target: '100' },
          accountRule('=1+1', '6071', { itemType: 'fee', tagGroup: 'CC', tag: '-1' }),
        ],
      },
    });
    const csv = await exported();
    expect([csv.status, csv.type, csv.etag]).toEqual([200, 'text/csv; charset=utf-8; header=present', '"2"']);
    expect(csv.text).toBe(`${HEADER}tag,'@home,"''a, ""b""",,,,CC,100\r\naccount,,'=1+1,fee,CC,'-1,,6071\r\n`);
    const json = await exported('?format=json');
    expect(json.body).toEqual({
      rules: [
        { subject: 'tag', sourceGroup: '@home', source: '\'a, "b"', targetGroup: 'CC', target: '100' },
        { subject: 'account', source: '=1+1', itemType: 'fee', tagGroup: 'CC', tag: '-1', target: '6071' },
      ],
    });
    expect((await commit(2, csv.text, { query: '?mode=replace' })).body).toMatchObject({
      saved: false,
      changes: [],
    });
  });

  it('is available for each version, also for one without rules', async () => {
    expect([(await exported('?version=1')).text, (await exported('?version=9')).status]).toEqual([HEADER, 404]);
    expect((await exported('?format=pdf')).status).toBe(400);
    expect((await exported('', await harness.addTenant({ settings: false }))).text).toBe(HEADER);
  });

  it('has no data of another installation', async () => {
    await harness.send(tenant, 'POST', '/mapping/rules', { seen: 1, body: accountRule('404', '6071') });
    expect((await exported('', await harness.addTenant())).text).toBe(HEADER);
  });
});

it('20 000 rules are imported and exported in one file each', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `account,key-${index.toString()},6071\r\n`);
  const saved = await commit(1, `subject,source,target\r\n${lines.join('')}`);
  expect(saved.body).toMatchObject({ version: 2, counts: { added: 20_000 } });
  const file = (await exported()).text;
  const onlyFirst = file.split('\r\n').slice(0, 2).join('\r\n');
  const cut = await commit(2, onlyFirst, { query: '?mode=replace' });
  expect(cut.body).toMatchObject({ version: 3, counts: { removed: 19_999 } });
});
