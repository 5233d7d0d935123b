import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { compression } from '../../../src/foundation/http/plugins/compression.plugin.js';
import { startedOnce } from '../../support/started-once.js';

const ENTRIES = Array.from({ length: 100 }, (_, index) => ({ id: index, text: 'Hotel Adler, Saltholm' }));
const JSON_TEXT = JSON.stringify(ENTRIES);

const server = startedOnce(async () => {
  const started = fastify();
  await started.register(compression('/api/'));
  started.get('/api/entries', () => ENTRIES);
  started.post('/api/entries', (request) => request.body ?? ENTRIES);
  started.get('/api/short', () => ({ id: 1 }));
  started.get('/api/secret', { config: { compress: false } }, () => ENTRIES);
  started.get('/api/page', (_, reply) => reply.type('text/html').send(JSON_TEXT));
  started.get('/api/download', (_, reply) => reply.type('application/json').send(Readable.from([JSON_TEXT])));
  started.get('/api/stream', (_, reply) => reply.type('text/event-stream').send(Readable.from([JSON_TEXT])));
  started.get('/api/version', (_, reply) => reply.header('etag', '"7"').send(ENTRIES));
  started.get('/elsewhere', () => ENTRIES);
  await started.ready();
  return started;
});
const get = (url: string, headers: Readonly<Record<string, string>> = {}) => server.inject({ url, headers });

it.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
])('a JSON response is compressed for a client that accepts %s', async (accepted, used, unpack) => {
  const { headers, rawPayload } = await get('/api/entries', { 'accept-encoding': accepted });
  expect([headers['content-encoding'], headers.vary]).toEqual([used, 'accept-encoding']);
  expect(rawPayload.length).toBeLessThan(JSON_TEXT.length / 5);
  expect(unpack(rawPayload).toString()).toBe(JSON_TEXT);
});

it.each([
  ['a short one', 'GET', '/api/short'],
  ['one that may hold a secret', 'GET', '/api/secret'],
  ['a page', 'GET', '/api/page'],
  ['a stream of events', 'GET', '/api/stream'],
  ['what is sent while it is read', 'GET', '/api/download'],
  ['what a change answers', 'POST', '/api/entries'],
  ['one below another address', 'GET', '/elsewhere'],
] as const)('%s is not compressed', async (_, method, url) => {
  const { headers, statusCode } = await server.inject({ method, url, headers: { 'accept-encoding': 'br, gzip' } });
  expect([statusCode, headers['content-encoding']]).toEqual([200, undefined]);
});

it('a compressed request is not decompressed', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const payload = gzipSync(JSON_TEXT);
  expect((await server.inject({ method: 'POST', url: '/api/entries', headers, payload })).statusCode).toBe(400);
});

it('a client with the ETag of the response gets 304, however it was sent', async () => {
  const { headers } = await get('/api/entries');
  const etag = String(headers.etag);
  expect(etag).toMatch(/^W\/"[\w+/=]{44}"$/);
  expect((await get('/api/entries', { 'accept-encoding': 'br' })).headers.etag).toBe(etag);
  const again = await get('/api/entries', { 'accept-encoding': 'br', 'if-none-match': etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect((await get('/api/short', { 'if-none-match': etag })).statusCode).toBe(200);
});

it('a version set by a route stays its ETag', async () => {
  expect((await get('/api/version', { 'accept-encoding': 'br' })).headers.etag).toBe('"7"');
});

it.each(['"7"', 'W/"7"'])(
  'a version set by a route does not say that nothing else has changed, as %s',
  async (seen) => {
    const { statusCode, body } = await get('/api/version', { 'if-none-match': seen });
    expect([statusCode, body]).toEqual([200, JSON_TEXT]);
  },
);
