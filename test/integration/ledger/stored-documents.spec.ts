import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { API_KEY, createCompany, entry, group, line, startLedger } from './ledger-harness.js';
import { startedOnce } from '../../support/started-once.js';
import { connectAsAdmin } from '../../support/test-database.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const lines: string[] = [];
const ledger = startedOnce(() =>
  startLedger({
    write: (line) => {
      lines.push(line);
    },
  }),
);
let company: string;
const owner = startedOnce(() => connectAsAdmin(ledger.databaseUrl, 'ledger'));

beforeEach(async () => {
  company = await createCompany(ledger);
});

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function store(content: Buffer | string, type = 'application/pdf') {
  const answer = await ledger.app.inject({
    method: 'POST',
    url: `/companies/${company}/attachments`,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': type },
    payload: content,
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> };
}

/** A document of a group, stored or not. */
const named = (text: string, fileName = `${text}.pdf`) => ({ digest: digestOf(text), fileName });

interface Outcome {
  readonly outcome: string;
  readonly code?: string;
  readonly field?: string;
  readonly entries: readonly { readonly id: string; readonly role: string }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

async function post(...groups: readonly object[]): Promise<readonly Outcome[]> {
  const path = `/companies/${company}/posting-groups`;
  return (await ledger.call<{ readonly outcomes: readonly Outcome[] }>('POST', path, { groups })).body.outcomes;
}

async function namesBehind(outcome: Outcome | undefined, role = 'entry'): Promise<readonly string[]> {
  const id = outcome?.entries.find((each) => each.role === role)?.id ?? '';
  const path = `/companies/${company}/journal-entries/${id}/attachments`;
  const { body } = await ledger.call<{ readonly data: readonly { readonly fileName: string }[] }>('GET', path);
  return body.data.map(({ fileName }) => fileName);
}

async function storedDigests(): Promise<readonly string[]> {
  const { rows } = await owner.query<{ readonly digest: string }>(
    'SELECT digest FROM attachment WHERE company_id = $1 ORDER BY digest',
    [company],
  );
  return rows.map(({ digest }) => digest);
}

describe('a document that is stored before its entry', () => {
  it('is known by its digest, once', async () => {
    const first = await store('a');
    expect(first).toEqual({
      status: 201,
      body: { digest: digestOf('a'), mediaType: 'application/pdf', size: 1 },
    });
    expect(await store('a')).toEqual(first);
    expect(await storedDigests()).toEqual([digestOf('a')]);
  });

  it.each(['application/msword', DOCX, 'application/vnd.ms-excel', 'text/plain'])('may be %s', async (type) => {
    expect((await store('a', type)).status).toBe(201);
  });

  it.each([
    ['of no bytes', '', 'application/pdf', 400],
    ['of another type', 'x', 'application/zip', 415],
    ['of a byte too many', Buffer.alloc(30 * 1024 * 1024 + 1), 'application/pdf', 413],
  ])('%s is refused', async (_, content, type, status) => {
    expect((await store(content, type)).status).toBe(status);
  });

  it('may have 30 MB', async () => {
    expect((await store(Buffer.alloc(30 * 1024 * 1024, 7))).status).toBe(201);
  });
});

describe('the documents of a posting group', () => {
  it('are attached to its entry, with their names, in order', async () => {
    const names = ['c', 'a', 'b', 'e', 'd'];
    for (const name of names) {
      await store(name);
    }
    const [outcome] = await post({ ...group('k'), documents: names.map((name) => named(name)) });
    expect(outcome?.outcome).toBe('created');
    expect(await namesBehind(outcome)).toEqual(['c.pdf', 'a.pdf', 'b.pdf', 'e.pdf', 'd.pdf']);
  });

  it('are attached to the invoice, not to its payment', async () => {
    await store('a');
    const entries = [
      entry([line('1935', -10_000), line('2440', 10_000, { vendorNumber: 'V-7' })], { role: 'payment' }),
      entry([line('6071', 10_000), line('2440', -10_000, { vendorNumber: 'V-7' })], { role: 'invoice' }),
    ];
    const [outcome] = await post({ ...group('k', { entries }), documents: [named('a')] });
    expect(await namesBehind(outcome, 'invoice')).toEqual(['a.pdf']);
    expect(await namesBehind(outcome, 'payment')).toEqual([]);
  });

  it('that are not stored cause its refusal, and no other', async () => {
    await store('a');
    const outcomes = await post(
      { ...group('k'), documents: [named('a'), named('missing')] },
      { ...group('l'), documents: [named('a')] },
    );
    expect(outcomes).toMatchObject([
      { outcome: 'refused', code: 'document_unknown', field: '/documents/1/digest' },
      { outcome: 'created' },
    ]);
    expect(await namesBehind(outcomes[1])).toEqual(['a.pdf']);
  });

  it('of another company count as not stored', async () => {
    await store('a');
    company = await createCompany(ledger);
    expect(await post({ ...group('k'), documents: [named('a')] })).toMatchObject([{ outcome: 'refused' }]);
  });

  it('are not part of its content, and are added to an existing group', async () => {
    await store('a');
    await store('b');
    await post({ ...group('k'), documents: [named('a')] });
    const [again] = await post({ ...group('k'), documents: [named('b'), named('a', 'other name.pdf')] });
    expect(again).toMatchObject({ outcome: 'existed', warnings: [] });
    expect(await namesBehind(again)).toEqual(['a.pdf', 'b.pdf']);
  });

  it('that are not stored cause a warning when the group exists', async () => {
    await post(group('k'));
    const [again] = await post({ ...group('k'), documents: [named('missing')] });
    expect(again).toMatchObject({ outcome: 'existed', warnings: [{ code: 'document-missing' }] });
    expect(await namesBehind(again)).toEqual([]);
  });

  it('are not added when the content differs', async () => {
    await store('a');
    const [first] = await post(group('k'));
    const changed = { ...group('k', { contentDigest: 'another' }), documents: [named('a')] };
    expect(await post(changed)).toMatchObject([{ outcome: 'conflict' }]);
    expect(await namesBehind(first)).toEqual([]);
  });

  it.each([
    ['a digest that is none', [{ digest: 'x', fileName: 'a.pdf' }]],
    ['no name', [{ digest: digestOf('a'), fileName: '' }]],
    ['more than a hundred', Array.from({ length: 101 }, (_, index) => named(index.toString()))],
  ])('with %s cause its refusal', async (_, documents) => {
    expect(await post({ ...group('k'), documents })).toMatchObject([{ outcome: 'refused', code: 'malformed' }]);
  });
});

describe('a document without an entry', () => {
  const forget = (digest: string, days: number) =>
    owner.query(
      'UPDATE attachment SET last_stored_at = now() - make_interval(days => $1) WHERE company_id = $2 AND digest = $3',
      [days, company, digest],
    );

  it('is deleted when another one is stored after 30 days', async () => {
    for (const name of ['old', 'young', 'used']) {
      await store(name);
    }
    await post({ ...group('k'), documents: [named('used')] });
    await forget(digestOf('old'), 31);
    await forget(digestOf('young'), 29);
    await forget(digestOf('used'), 31);
    await store('new');
    expect(await storedDigests()).toEqual(['new', 'used', 'young'].map(digestOf).sort());
  });

  it('is kept for another 30 days when it is stored again', async () => {
    await store('old');
    await forget(digestOf('old'), 31);
    await store('old');
    await store('new');
    expect(await post({ ...group('k'), documents: [named('old')] })).toMatchObject([{ outcome: 'created' }]);
  });

  it('cannot be deleted before', async () => {
    await store('young');
    const taking = ledger.asApp(`DELETE FROM attachment WHERE company_id = '${company}'`);
    await expect(taking).rejects.toMatchObject({ constraint: 'attachment_kept_ck' });
  });
});

it('an aborted upload is not an error of the ledger, and stores nothing', async () => {
  await ledger.app.listen(0, '127.0.0.1');
  const server = ledger.app.getHttpServer();
  const { port } = server.address() as AddressInfo;
  const head = [
    `POST /companies/${company}/attachments HTTP/1.1`,
    'host: ledger',
    `authorization: Bearer ${API_KEY}`,
    'content-type: application/pdf',
    'content-length: 1000',
  ];
  const broken = new Promise((resolve) =>
    server.once('request', (request: IncomingMessage) => request.once('error', resolve)),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n%PDF`);
  server.once('request', (request: IncomingMessage) => request.once('data', () => socket.destroy()));
  await broken;
  // The next answer comes after what became of the request before it.
  expect((await store('whole')).status).toBe(201);
  expect(lines).toEqual([]);
});
