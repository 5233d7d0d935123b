import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Secret } from '../../../src/foundation/config/secret.js';
import { Mailer } from '../../../src/foundation/mail/mailer.js';
import { inSpan, sendSpansTo, type EndedSpan } from '../../../src/foundation/tracing/tracing.js';
import { Mailbox } from '../../support/servers/mailbox.js';

// A mail in a trace: that it was sent is shown, and nothing of its recipient.

let mailbox: Mailbox;
let mailer: Mailer;
let spans: EndedSpan[];

beforeAll(async () => {
  mailbox = await Mailbox.start();
  mailer = new Mailer({ url: new Secret(mailbox.url), from: 'Connector <connector@example.com>' });
});
afterEach(() => {
  sendSpansTo(undefined);
});
afterAll(async () => {
  mailer.onApplicationShutdown();
  await mailbox.close();
});

const mail = { id: 'alert-1', to: 'ada@example.com', subject: 'An export failed', text: 'Look at it.' };

function recordSpans(): void {
  spans = [];
  sendSpansTo({ nowMs: () => 0, samples: () => true, add: (span) => spans.push(span) });
}

it('a mail is a span of the trace in which it is sent', async () => {
  recordSpans();
  await inSpan('task send-alert', {}, () => mailer.send(mail));
  expect(spans.map(({ name, kind, error }) => [name, kind, error])).toEqual([
    ['send mail', 'client', undefined],
    ['task send-alert', 'internal', undefined],
  ]);
  expect(spans[0]?.traceId).toBe(spans[1]?.traceId);
  expect(spans[0]?.parentSpanId).toBe(spans[1]?.spanId);
  expect(JSON.stringify(spans)).not.toMatch(/ada|example|export failed|Look/);
});

it('a mail that the server refuses ends its span with the error', async () => {
  recordSpans();
  mailbox.isOpen = false;
  await expect(inSpan('task send-alert', {}, () => mailer.send(mail))).rejects.toThrow();
  mailbox.isOpen = true;
  expect(spans.map(({ name, error }) => [name, error])).toEqual([
    ['send mail', 'Error'],
    ['task send-alert', 'Error'],
  ]);
});

it('a mail outside a trace starts none', async () => {
  recordSpans();
  await mailer.send(mail);
  expect(spans).toEqual([]);
});

it('a server that sends a byte now and then is given up, and its connection with it', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const dripping = setInterval(() => socket.write('2'), 20);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(dripping);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new Secret(`smtp://127.0.0.1:${(server.address() as AddressInfo).port.toString()}`);
  const hurried = new Mailer({ url, from: 'connector@example.com', deliveryMs: 200 });
  await expect(hurried.send(mail)).rejects.toThrow(/abort|timeout/i);
  await new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
});
