import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, exportItem, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let itemId: string;

beforeEach(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  [itemId = ''] = await simulator.addItems(companyId, [exportItem(-100)]);
});
afterEach(async () => {
  await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  await simulator.control('DELETE', '/failures');
});

const addFiles = (files: readonly object[], id = itemId) => simulator.control('POST', `/items/${id}/files`, files);

/** The files of the company's first item, as they are read with a new job. */
async function announced(version = 'v3'): Promise<readonly unknown[]> {
  const jobId = await simulator.triggerExport(companyId);
  const answer = await simulator.call('GET', `/${version}/export-items?job_id=${jobId}`, { token });
  return listAt(answer.body, 'data', 0, 'files');
}

/** Without a credential, as any client that has the address. */
async function fetched(url: string) {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    length: response.headers.get('content-length'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe('files behind an item', () => {
  it.each(['v2', 'v3'])('are announced in their order (%s)', async (version) => {
    await addFiles([
      { name: 'b.pdf', size: 10 },
      { name: 'a.png', type: 'image/png' },
    ]);
    await addFiles([{ announcedSize: 7, size: 2_000_000 }]);
    expect(await announced(version)).toEqual([
      { url: expect.stringContaining('/b.pdf?'), type: 'application/pdf', size: 10 },
      { url: expect.stringContaining('/a.png?'), type: 'image/png', size: 2_084 },
      { url: expect.stringContaining('/receipt-1?'), type: 'application/pdf', size: 7 },
    ]);
  });

  it('exist where the item has none of its own', async () => {
    companyId = await simulator.addCompany();
    token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
    const note = 'not "files":null';
    const [id = ''] = await simulator.addItems(companyId, [exportItem(-100, { note, files: null })]);
    await addFiles([{ size: 10 }], id);
    expect(await announced()).toMatchObject([{ size: 10 }]);
  });

  it('are served with their type and bytes', async () => {
    const content = Buffer.from('%PDF \0 ü');
    await addFiles([{ content: content.toString('base64'), type: 'text/plain' }]);
    const [file] = await announced();
    expect(await fetched(textAt(file, 'url'))).toEqual({
      status: 200,
      type: 'text/plain',
      length: content.length.toString(),
      bytes: content,
    });
  });

  it('may be large', async () => {
    await addFiles([{ size: 31_457_281, announcedSize: 10 }]);
    const [file] = await announced();
    const { bytes, length } = await fetched(textAt(file, 'url'));
    expect([bytes.length, length]).toEqual([31_457_281, '31457281']);
  });

  it('may be cut off', async () => {
    await addFiles([{ size: 1_000_000, breakAfter: 100_000 }]);
    const [file] = await announced();
    await expect(fetched(textAt(file, 'url'))).rejects.toThrow();
  });

  it('match failure switches', async () => {
    await addFiles([{ size: 10 }]);
    const [file] = await announced();
    await simulator.control('POST', '/failures', { path: '/files/*/*', status: 503, times: 1 });
    expect((await fetched(textAt(file, 'url'))).status).toBe(503);
    expect((await fetched(textAt(file, 'url'))).status).toBe(200);
  });

  it('are not added to an item that has its own', async () => {
    const own = [{ url: 'https://elsewhere.example/a.pdf', type: 'application/pdf', size: 3 }];
    companyId = await simulator.addCompany();
    token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
    const [id = ''] = await simulator.addItems(companyId, [exportItem(-100, { files: own })]);
    expect(await announced()).toEqual(own);
    const refused = await simulator.call('POST', `/control/items/${id}/files`, { body: [{}] });
    expect([refused.status, at(refused.body, 'type')]).toEqual([409, 'ITEM_HAS_FILES']);
  });

  it.each([
    ['no list', {}, 400],
    ['an empty list', [], 400],
    ['content that is no base64', [{ content: '%' }], 400],
    ['too many bytes', [{ size: 104_857_601 }], 400],
  ])('are not added from %s', async (_, body, status) => {
    expect((await simulator.call('POST', `/control/items/${itemId}/files`, { body })).status).toBe(status);
  });

  it('are not added to an unknown item', async () => {
    const path = `/control/items/${randomUUID()}/files`;
    expect((await simulator.call('POST', path, { body: [{}] })).status).toBe(404);
  });

  it('are deleted by a reset', async () => {
    await addFiles([{ size: 10 }]);
    const [file] = await announced();
    await simulator.control('POST', '/reset');
    expect((await fetched(textAt(file, 'url'))).status).toBe(404);
  });
});

describe('the address of a file', () => {
  beforeEach(async () => {
    await addFiles([{ size: 10 }]);
  });

  it('is valid for 24 hours, also after a restart', async () => {
    const [file] = await announced();
    await simulator.control('POST', '/clock', { advanceSeconds: 86_390 });
    await simulator.restart();
    expect((await fetched(textAt(file, 'url'))).status).toBe(200);
    await simulator.control('POST', '/clock', { advanceSeconds: 20 });
    expect((await fetched(textAt(file, 'url'))).status).toBe(403);
  });

  it('differs after a later fetch', async () => {
    const [before] = await announced();
    await simulator.control('POST', '/clock', { advanceSeconds: 3_700 });
    const [after] = await announced();
    expect(textAt(after, 'url')).not.toBe(textAt(before, 'url'));
  });

  it.each([
    ['a later end', (url: string) => url.replace(/expires=\d+/, 'expires=99999999999')],
    ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
    ['another signature', (url: string) => `${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`],
  ])('with %s is refused', async (_, change) => {
    const [file] = await announced();
    expect((await fetched(change(textAt(file, 'url')))).status).toBe(403);
  });
});
