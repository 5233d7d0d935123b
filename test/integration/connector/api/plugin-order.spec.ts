import { expect, it } from '@jest/globals';
import { startConnectorApp } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// The order of the plugins by its effects: connector-http.ts.

const PER_MINUTE = 10;
const TOO_LONG = `/api/v1/jobs?text=${'x'.repeat(8_192)}`;
const EVERY_RESPONSE = {
  'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'cache-control': 'no-store',
};

const connector = startedOnce(() =>
  startConnectorApp({
    CONNECTOR_STRANGERS_PER_MINUTE: PER_MINUTE.toString(),
    CONNECTOR_TRUSTED_PROXIES: '127.0.0.1',
  }),
);
const send = (url: string, from: string) => connector.app.inject({ url, headers: { 'x-forwarded-for': from } });

it('a refusal has the headers of every response, whichever plugin refuses', async () => {
  const tooLong = await send(TOO_LONG, '198.51.100.1');
  expect([tooLong.statusCode, tooLong.headers]).toEqual([414, expect.objectContaining(EVERY_RESPONSE)]);
  for (let count = 0; count < PER_MINUTE; count += 1) {
    await send('/nowhere', '198.51.100.1');
  }
  const tooMany = await send('/nowhere', '198.51.100.1');
  expect([tooMany.statusCode, tooMany.headers]).toEqual([429, expect.objectContaining(EVERY_RESPONSE)]);
});

it('a malformed request over the limit is reported as malformed, and counts against no limit', async () => {
  for (let count = 0; count < PER_MINUTE; count += 1) {
    expect((await send(TOO_LONG, '198.51.100.2')).statusCode).toBe(414);
  }
  for (let count = 0; count < PER_MINUTE; count += 1) {
    expect((await send('/nowhere', '198.51.100.2')).statusCode).toBe(404);
  }
  expect((await send('/nowhere', '198.51.100.2')).statusCode).toBe(429);
  expect((await send(TOO_LONG, '198.51.100.2')).statusCode).toBe(414);
});

it('a request over the limit is refused before its body is parsed', async () => {
  const post = async () => {
    const headers = { 'x-forwarded-for': '198.51.100.3', 'content-type': 'application/json' };
    const response = await connector.app.inject({ method: 'POST', url: '/api/v1/previews', headers, payload: '{' });
    return response.statusCode;
  };
  for (let count = 0; count < PER_MINUTE; count += 1) {
    expect(await post()).toBe(401);
  }
  expect(await post()).toBe(429);
});

it.each([
  ['https://connector.example', {}, true],
  ['https://connector.example', { CONNECTOR_TRUSTED_PROXIES: '192.0.2.1' }, false],
  ['http://localhost:3000', {}, false],
])('a start at %s with %j warns of unnamed proxies: %s', async (publicUrl, environment, isTold) => {
  const lines: string[] = [];
  const started = await startConnectorApp(
    { PUBLIC_URL: publicUrl, ...environment },
    { write: (line) => void lines.push(line) },
  );
  await started.close();
  expect(lines.some((line) => line.includes('proxies.not_named'))).toBe(isTold);
});
