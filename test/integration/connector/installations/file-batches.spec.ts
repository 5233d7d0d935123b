import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { ENTERED } from '../../../../src/connector/erp/files/files.fixtures.js';
import { PostgresErpStore } from '../../../../src/connector/erp-connections/postgres-erp-store.js';
import { ReceiptRepository } from '../../../../src/connector/receipts/receipt.repository.js';
import { DataKeyRepository } from '../../../../src/connector/installations/credentials/data-key.repository.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { toErpCompanyId, toInstallationId } from '../../../../src/kernel/ids.js';
import { erpStoreContract } from '../../../contract/erp-store/erp-store-contract.js';
import {
  currency,
  day,
  plannedEntry,
  plannedLine,
  postingGroup,
} from '../../../../src/erp-contract/posting-group.builder.js';
import { BucketServer } from '../../../support/servers/bucket-server.js';
import { readZip } from '../../../support/zip/read-zip.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';

// An ERP that reads files: connected through the API, its entries in the connector's database, closed and downloaded.

const harness = startedOnce(() => ConnectHarness.start());
const bucket = startedOnce(() => BucketServer.start('books'));
let id: string;

const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object, of = id) =>
  harness.call(method, `/api/v1/${path}`, { token: await harness.token(of), ...(body && { body }) });

beforeEach(async () => {
  harness.platform.restore();
  id = await harness.connect(companyUrn(harness.platform.addCompany().id));
});

async function connected(): Promise<string> {
  const { json } = await call('PUT', 'erp-connection', { kind: 'files', settings: ENTERED });
  const company = String(at(json, 'data', 0, 'id'));
  expect((await call('PUT', 'erp-company', { erpCompanyId: company })).status).toBe(204);
  return company;
}

async function post(company: string, minor: bigint, receipt?: Buffer, key: string = randomUUID()): Promise<string> {
  const erp = await harness.get(ErpConnections).open(toInstallationId(id), toErpCompanyId(company));
  const document = (content: Buffer) => ({
    ...{ name: 'taxi.pdf', mediaType: 'application/pdf', sizeBytes: content.length },
    content: Readable.from([content]),
  });
  const stored = receipt && (await erp.storeDocument(document(receipt)));
  const documents = stored && 'documentId' in stored ? [{ ...stored, fileName: 'taxi.pdf' }] : [];
  const entry = plannedEntry([plannedLine('5410', minor), plannedLine('1935', -minor)], {
    postingDate: day('2026-03-02'),
    currency: currency('EUR'),
    functionalCurrency: currency('EUR'),
  });
  const outcomes = await erp.post([postingGroup(key, { entries: [entry], documents })]);
  expect(outcomes).toMatchObject([{ outcome: expect.stringMatching(/^(created|existed)$/) }]);
  return key;
}

describe('entries as files', () => {
  it.each([
    ['de-DE,de', 'Dateien (SIE, DATEV, CSV)', 'Kontenplan'],
    ['sv,en', 'Files (SIE, DATEV, CSV)', 'Chart of accounts'],
  ])('are offered with settings in the language of the reader: %s', async (language, name, title) => {
    const { json } = await harness.call('GET', '/api/v1/erp-kinds', {
      token: await harness.token(id),
      headers: { 'accept-language': language },
    });
    const kinds = at(json, 'data') as readonly object[];
    const files = kinds.find((kind) => at(kind, 'kind') === 'files');
    const accounts = at(files, 'settingsSchema', 'properties', 'accounts');
    expect({ name: at(files, 'name'), title: at(accounts, 'title') }).toEqual({ name, title });
    expect(accounts).not.toHaveProperty('translations');
  });

  it('cannot be drafts: a policy for drafts is not saved, and the set-up reports one saved before', async () => {
    const save = async (postingState: string, seen: number) =>
      harness.call('PUT', '/api/v1/settings', {
        token: await harness.token(id),
        headers: { 'if-match': `"${seen.toString()}"` },
        body: {
          accounts: { wallets: {}, companyBankByCurrency: {}, fallbackAccounts: {} },
          policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState },
        },
      });
    const policyStep = async () =>
      (at((await call('GET', 'setup')).json, 'steps') as readonly object[]).find(
        (step) => at(step, 'check') === 'policies',
      );
    expect((await save('draft', 0)).status).toBe(200);
    await connected();
    expect(await policyStep()).toMatchObject({ state: 'open', detail: expect.stringContaining('keeps none') });
    const refused = await save('draft', 1);
    expect([refused.status, at(refused.json, 'type'), at(refused.json, 'errors', 0, 'pointer')]).toEqual([
      422,
      'urn:problem:erp-keeps-no-drafts',
      '/policies/postingState',
    ]);
    expect((await save('posted', 1)).status).toBe(200);
    expect(await policyStep()).toMatchObject({ state: 'done' });
  });

  it('have a connection test that is stored: company, currency, each list and the reversed test entry', async () => {
    const company = await connected();
    const testEntry = { debit: '5410', credit: '1935' };
    const tested = await call('POST', 'erp-connection/test', { erpCompanyId: company, testEntry });
    const { json } = await call('GET', 'erp-connection');
    expect(json).toMatchObject({
      company,
      givesFiles: true,
      functionalCurrency: 'EUR',
      timeZone: expect.stringContaining('/'),
    });
    const shown = (part: unknown) => (at(part, 'findings') ?? at(part, 'checks')) as readonly { check: string }[];
    const byName = (one: { check: string }, other: { check: string }) => (one.check < other.check ? -1 : 1);
    const withoutTime = shown(json).map(({ check, ...found }) => ({
      check,
      state: at(found, 'state'),
      detail: at(found, 'detail'),
    }));
    const tried = shown(tested.json).filter((check) => at(check, 'state') !== 'not-tried');
    expect(withoutTime.toSorted(byName)).toEqual(tried.toSorted(byName));
    expect(withoutTime).toContainEqual({
      check: 'posting',
      state: 'works',
      detail: expect.stringContaining('taken back'),
    });
  });

  it('are closed into numbered batches, each in exactly one, with the same bytes at each download', async () => {
    const company = await connected();
    await post(company, 10_000n);
    await post(company, 2_500n);
    const [one, other] = await Promise.all([call('POST', 'erp-batches'), call('POST', 'erp-batches')]);
    const closed = [one, other].flatMap(
      ({ json }) => at(json, 'data') as readonly { number: number; entries: number }[],
    );
    expect(closed).toMatchObject([{ number: 1, entries: 2 }]);
    expect(at((await call('POST', 'erp-batches')).json, 'data')).toEqual([]);
    const first = await call('GET', 'erp-batches/1');
    expect(first.text).toContain('100.00');
    expect(createHash('sha256').update(first.text).digest('hex')).toBe(at(closed[0], 'sha256'));
    await post(company, 700n);
    await call('PUT', 'erp-connection', { kind: 'files', settings: { ...ENTERED, format: 'sie' } });
    expect(at((await call('POST', 'erp-batches')).json, 'data')).toMatchObject([{ number: 2, entries: 1 }]);
    expect((await call('GET', 'erp-batches/1')).text).toBe(first.text);
    const listed = await call('GET', 'erp-batches?limit=1');
    expect(listed.json).toMatchObject({ data: [{ number: 1 }], nextCursor: expect.any(String) });
    const next = encodeURIComponent(String(at(listed.json, 'nextCursor')));
    expect((await call('GET', `erp-batches?limit=1&after=${next}`)).json).toMatchObject({ data: [{ number: 2 }] });
  });

  it('have their receipts in a list and an archive beside the file, once however often they are sent', async () => {
    const company = await connected();
    const receipt = randomBytes(600_000);
    const key = await post(company, 10_000n, receipt);
    await call('POST', 'erp-batches');
    const before = await call('GET', 'erp-batches/1');
    await post(company, 10_000n, receipt, key);
    await post(company, 500n);
    await call('POST', 'erp-batches');
    const listed = (await call('GET', 'erp-batches')).json;
    expect(at(listed, 'data')).toMatchObject([{ receipts: 1 }, { receipts: 0 }]);
    expect((await call('GET', 'erp-batches/1')).text).toBe(before.text);
    const list = await call('GET', 'erp-batches/1/receipt-list');
    expect(list.text.split('\r\n').slice(1)).toEqual([
      `1,1,,${key},1-1-taxi.pdf,taxi.pdf,application/pdf,600000,${createHash('sha256').update(receipt).digest('hex')}`,
      '',
    ]);
    const archive = readZip((await call('GET', 'erp-batches/1/receipts')).bytes);
    expect([...archive.keys()]).toEqual(['1-1-taxi.pdf']);
    expect(archive.get('1-1-taxi.pdf')?.equals(receipt)).toBe(true);
    expect((await call('GET', 'erp-batches/2/receipts')).status).toBe(404);
    const { rows } = await harness.admin.query<{ sealed: string }>(
      `SELECT sealed_value AS sealed FROM erp_value WHERE installation_id = $1 AND key LIKE 'receipt-piece/%'`,
      [id],
    );
    expect(rows).toHaveLength(2);
    expect(rows.map(({ sealed }) => sealed).join('')).not.toContain(receipt.subarray(0, 300).toString('base64'));
  });

  it('are written to the customer’s bucket with the bytes of their downloads, and its key is never shown', async () => {
    const { accessKeyId, secretAccessKey, region } = BucketServer.keys;
    const place = {
      bucketAddress: bucket.url,
      bucketName: 'books',
      bucketPrefix: 'from-connector',
      bucketRegion: region,
    };
    const settings = { ...ENTERED, ...place, bucketAccessKeyId: accessKeyId, bucketSecretAccessKey: secretAccessKey };
    const { json, text } = await call('PUT', 'erp-connection', { kind: 'files', settings });
    const company = String(at(json, 'data', 0, 'id'));
    await call('PUT', 'erp-company', { erpCompanyId: company });
    const shown = await call('GET', 'erp-connection');
    expect(shown.json).toMatchObject({ settings: place });
    expect([text, shown.text].join('')).not.toMatch(/AKIATESTOFBATCHES|of\+the\+test/);
    await post(company, 10_000n);
    expect((await call('POST', 'erp-batches')).status).toBe(201);
    const downloaded = await call('GET', 'erp-batches/1');
    const key = `from-connector/${id}-1/${String(at((await call('GET', 'erp-batches')).json, 'data', 0, 'fileName'))}`;
    expect([...bucket.objects.keys()]).toEqual([key]);
    expect(bucket.objects.get(key)?.content.toString()).toBe(downloaded.text);
  });

  it('of a customer who comes back after an uninstall do not overwrite those that were handed over before', async () => {
    const { accessKeyId, secretAccessKey, region } = BucketServer.keys;
    const place = { bucketAddress: bucket.url, bucketName: 'books', bucketPrefix: 'kept', bucketRegion: region };
    const settings = { ...ENTERED, ...place, bucketAccessKeyId: accessKeyId, bucketSecretAccessKey: secretAccessKey };
    const name = 'Comes Back AB';
    const platformCompany = harness.platform.addCompany({ name });
    const postAndClose = async (minor: bigint) => {
      const { json } = await call('PUT', 'erp-connection', { kind: 'files', settings });
      const company = String(at(json, 'data', 0, 'id'));
      await call('PUT', 'erp-company', { erpCompanyId: company });
      await post(company, minor);
      expect((await call('POST', 'erp-batches')).status).toBe(201);
      return company;
    };
    const objects = () => [...bucket.objects.keys()].filter((key) => key.startsWith('kept/'));
    id = await harness.connect(companyUrn(platformCompany.id));
    const before = await postAndClose(10_000n);
    const [first = ''] = objects();
    const handedOver = bucket.objects.get(first)?.content.toString();
    expect((await call('DELETE', `installation?companyName=${encodeURIComponent(name)}`)).status).toBe(200);
    expect(await harness.connect(companyUrn(platformCompany.id))).toBe(id);
    expect(await postAndClose(20_000n)).toBe(before);
    expect(objects()).toEqual([first, first.replace(`${id}-1/`, `${id}-1-2/`)]);
    expect(bucket.objects.get(first)?.content.toString()).toBe(handedOver);
  });

  it('of a customer who comes back after an uninstall get their receipts anew: the store has none any more', async () => {
    const name = 'Comes Back With Receipts AB';
    const platformCompany = harness.platform.addCompany({ name });
    id = await harness.connect(companyUrn(platformCompany.id));
    const scope = { installationId: toInstallationId(id), erpCompanyId: toErpCompanyId(await connected()) };
    const key = await post(scope.erpCompanyId, 10_000n, Buffer.from('%PDF taxi'));
    const file = { position: 1, count: 1, url: undefined, mediaType: 'application/pdf', announcedBytes: 9 };
    const receipts = new ReceiptRepository();
    const known = async () =>
      harness.get(TenantDatabase).inInstallation('test', scope.installationId, async (tx) => {
        return (await receipts.findStored(tx, scope, [key], new Date(0))).size;
      });
    await harness.get(TenantDatabase).inInstallation('test', scope.installationId, async (tx) => {
      await receipts.recordStored(tx, scope, { accountingEntryId: key, file }, 'a'.repeat(64), new Date());
    });
    expect(await known()).toBe(1);
    expect((await call('DELETE', `installation?companyName=${encodeURIComponent(name)}`)).status).toBe(200);
    expect(await harness.connect(companyUrn(platformCompany.id))).toBe(id);
    expect(await known()).toBe(0);
  });

  it('are invisible to another customer with files of the same names and numbers', async () => {
    const company = await connected();
    await post(company, 10_000n, Buffer.from('%PDF'));
    await call('POST', 'erp-batches');
    const mine = id;
    id = await harness.connect(companyUrn(harness.platform.addCompany().id));
    expect((await call('GET', 'erp-batches/1')).status).toBe(409);
    expect(await connected()).toBe(company);
    for (const path of ['erp-batches/1', 'erp-batches/1/receipt-list', 'erp-batches/1/receipts']) {
      expect((await call('GET', path)).status).toBe(404);
      expect((await call('GET', path, undefined, mine)).status).toBe(200);
    }
    expect(at((await call('GET', 'erp-batches')).json, 'data')).toEqual([]);
  });

  it('are refused without a connection, and an unknown number is not found', async () => {
    for (const [method, path] of [
      ['GET', 'erp-batches'],
      ['POST', 'erp-batches'],
      ['GET', 'erp-batches/1'],
      ['GET', 'erp-batches/1/receipt-list'],
      ['GET', 'erp-batches/1/receipts'],
    ] as const) {
      const { status, json } = await call(method, path);
      expect([status, at(json, 'type')]).toEqual([409, 'urn:problem:erp-takes-no-files']);
    }
    await connected();
    for (const number of ['0', '-1', 'x', '9999999999', '1.5']) {
      expect((await call('GET', `erp-batches/${number}`)).status).toBe(404);
    }
  });
});

async function openStore(): Promise<PostgresErpStore> {
  id = await harness.connect(companyUrn(harness.platform.addCompany().id));
  await connected();
  const installationId = toInstallationId(id);
  const database = harness.get<TenantDatabase>(TenantDatabase);
  const { rows } = await harness.admin.query<{ generation: number }>(
    'SELECT generation FROM erp_connection WHERE installation_id = $1',
    [id],
  );
  return new PostgresErpStore(database, harness.get(DataKeyRepository), installationId, rows[0]?.generation ?? 0);
}

erpStoreContract('the store of a connection in PostgreSQL', openStore);

describe('the store of an uninstalled customer', () => {
  it('takes nothing of a closing that is still under way, which no key could open later', async () => {
    const store = await openStore();
    const name = at((await call('GET', 'connection')).json, 'companyName');
    expect((await call('DELETE', `installation?companyName=${encodeURIComponent(String(name))}`)).status).toBe(200);
    expect(await store.commit([{ key: 'placed/folder', value: 1, expectedVersion: 0 }])).toBe(false);
    const { rows } = await harness.admin.query('SELECT FROM data_key WHERE installation_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});
