import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { API_KEY, createCompany, group, startLedger } from './ledger-harness.js';
import { startedOnce } from '../../support/started-once.js';

const LIMIT = 30 * 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7 a receipt with a zero byte \0 and an umlaut ü');
const DIGEST = createHash('sha256').update(PDF).digest('hex');

const ledger = startedOnce(startLedger);
let company: string;
let entryId: string;

beforeEach(async () => {
  company = await createCompany(ledger);
  entryId = await post('a');
});

async function post(key: string): Promise<string> {
  const answer = await ledger.call<{
    readonly outcomes: readonly { readonly entries: readonly { readonly id: string }[] }[];
  }>('POST', `/companies/${company}/posting-groups`, { groups: [group(key)] });
  return answer.body.outcomes[0]?.entries[0]?.id ?? '';
}

async function attach(
  content: Buffer,
  options: {
    readonly type?: string;
    readonly name?: string;
    readonly to?: string;
    readonly of?: string;
  } = {},
) {
  const { type = 'application/pdf', name = 'receipt.pdf', to = entryId, of = company } = options;
  const answer = await ledger.app.inject({
    method: 'POST',
    url: `/companies/${of}/journal-entries/${to}/attachments?fileName=${encodeURIComponent(name)}`,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': type },
    payload: content,
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> };
}

const list = (of = company, to = entryId) =>
  ledger.call<{ readonly data: readonly Record<string, unknown>[] }>(
    'GET',
    `/companies/${of}/journal-entries/${to}/attachments`,
  );

async function fetchContent(digest: string, of = company) {
  return ledger.app.inject({
    method: 'GET',
    url: `/companies/${of}/attachments/${digest}`,
    headers: { authorization: `Bearer ${API_KEY}` },
  });
}

describe('a document', () => {
  it('is stored byte for byte under its digest', async () => {
    const { status, body } = await attach(PDF, { name: 'Quittung Bäckerei.pdf' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      digest: DIGEST,
      fileName: 'Quittung Bäckerei.pdf',
      mediaType: 'application/pdf',
      size: PDF.length,
      url: `/companies/${company}/attachments/${DIGEST}`,
    });
    const content = await fetchContent(DIGEST);
    expect(content.rawPayload.equals(PDF)).toBe(true);
    expect(content.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  it('that is sent again is the existing one, and may be attached to several entries', async () => {
    const first = await attach(PDF);
    const again = await attach(PDF, { name: 'another name.pdf' });
    expect(again.body).toEqual(first.body);
    expect((await list()).body.data).toHaveLength(1);

    const other = await post('b');
    expect((await attach(PDF, { to: other })).body['digest']).toBe(DIGEST);
    expect((await list(company, other)).body.data).toHaveLength(1);
  });

  it('may have as many bytes as the limit, and not one more', async () => {
    expect((await attach(Buffer.alloc(LIMIT, 1))).status).toBe(201);
    expect((await attach(Buffer.alloc(LIMIT + 1, 1))).status).toBe(413);
    expect((await list()).body.data).toHaveLength(1);
  });

  it.each([
    ['no bytes', Buffer.alloc(0), {}, 400],
    ['another media type', PDF, { type: 'text/html' }, 415],
    ['JSON', Buffer.from('{}'), { type: 'application/json' }, 400],
    ['no name', PDF, { name: '' }, 400],
    ['a name with NUL', PDF, { name: 'a\0b' }, 400],
    ['an entry that is not there', PDF, { to: randomUUID() }, 404],
    ['an id that is none', PDF, { to: 'x' }, 400],
  ])('with %s is refused', async (_, content, options, status) => {
    const answer = await attach(content, options);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status, detail: expect.any(String) });
    expect((await list()).body.data).toEqual([]);
  });

  it('belongs to one company', async () => {
    await attach(PDF);
    const other = await createCompany(ledger);
    expect((await fetchContent(DIGEST, other)).statusCode).toBe(404);
    expect((await list(other)).status).toBe(404);
    expect((await attach(PDF, { of: other })).status).toBe(404);
  });

  it('cannot be changed or deleted', async () => {
    await attach(PDF);
    for (const statement of [
      `UPDATE attachment SET content = 'x'`,
      `DELETE FROM attachment`,
      `UPDATE entry_attachment SET file_name = 'x'`,
      `DELETE FROM entry_attachment`,
    ]) {
      await expect(ledger.asApp(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('must match its digest', async () => {
    const statement = `INSERT INTO attachment (company_id, digest, media_type, content)
      VALUES ('${company}', '${DIGEST}', 'application/pdf', 'other')`;
    await expect(ledger.asApp(statement)).rejects.toMatchObject({ constraint: 'attachment_digest_ck' });
  });
});

it('an entry has a hundred documents at most', async () => {
  for (let index = 0; index < 100; index += 1) {
    expect((await attach(Buffer.from(`document ${index.toString()}`))).status).toBe(201);
  }
  expect((await attach(PDF)).status).toBe(422);
  expect((await attach(Buffer.from('document 7'))).status).toBe(201);
  expect((await list()).body.data).toHaveLength(100);
});
