import { connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { startedOnce } from '../../../support/started-once.js';
import { storedState } from '../attack/stored-state.js';
import { BadRequests } from './bad-requests.js';

// A client that goes away in the middle of a file leaves nothing behind, and nothing is held open for it.

const written: string[] = [];
const requests = startedOnce(() => BadRequests.start({}, { write: (line) => written.push(line) }));
const CLIENTS = 20;
const ANNOUNCED = 900_000;

const FILES = [
  ['POST', '/api/v1/mapping/rules/import?mode=merge', 'text/csv', 'subject,source,target\r\n', 'account,404,6071\r\n'],
  ['PUT', '/api/v1/exchange-rates', 'application/json', '{"csv":"', '2026-03-02,USD,EUR,0.9\\n'],
] as const;

/** Sends the head of a request and half of its body, waits until the program has read it, and hangs up. */
async function hangUp(head: string, half: string): Promise<void> {
  const server = requests.connector.app.getHttpServer();
  const socket = connect(requests.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const peer = await accepted;
  const closed = new Promise((resolve) => peer.once('close', resolve));
  await new Promise<void>((resolve) =>
    socket.write(head + half, () => {
      resolve();
    }),
  );
  while (peer.bytesRead < Buffer.byteLength(head + half)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.resetAndDestroy();
  await closed;
}

/** Every connection of a client. */
function connections(): Promise<number> {
  const server = requests.connector.app.getHttpServer();
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => {
      if (error === null) {
        resolve(count);
      } else {
        reject(error);
      }
    });
  });
}

it.each(FILES)('%s %s', async (method, path, type, start, line) => {
  const before = await storedState(requests.admin);
  const half = start + line.repeat(Math.floor(ANNOUNCED / 2 / line.length));
  for (let client = 0; client < CLIENTS; client += 1) {
    const fields = {
      host: 'x',
      authorization: `Bearer ${requests.token}`,
      'content-type': type,
      'content-length': ANNOUNCED.toString(),
      'if-match': '"1"',
      'idempotency-key': 'the-key-of-an-aborted-upload',
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    await hangUp(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, half);
  }
  expect(await connections()).toBe(0);
  expect(await storedState(requests.admin)).toBe(before);
  const { rows } = await requests.admin.query<{ held: number; keys: number }>(
    `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (state <> 'idle' AND xact_start IS NOT NULL AND backend_type = 'client backend')) AS held,
       (SELECT count(*)::int FROM idempotency_key) AS keys`,
  );
  expect(rows).toEqual([{ held: 0, keys: 0 }]);
  expect(written.length).toBeGreaterThan(0);
  expect(written.filter((entry) => /"level":"(warn|error|fatal)"/.test(entry))).toEqual([]);
});
