import { afterEach, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { currentTrace, sendSpansTo, type EndedSpan } from '../../foundation/tracing/tracing.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskQueue } from '../tasks/task-queue.js';
import { WakeDue } from './wake-due.js';

const FIRST = toInstallationId('00000000-0000-4000-8000-000000000001');
const SECOND = toInstallationId('00000000-0000-4000-8000-000000000002');
const task = { kind: 'check', payload: z.object({ installationId: z.string() }), concurrency: 1 };

afterEach(() => {
  sendSpansTo(undefined);
});

/** What was sent to the queue, and in which trace, and how that ended. @param failure of what is sent for the first */
async function wake(found: readonly InstallationId[], failure?: Error) {
  const sent: { readonly key: unknown; readonly traceparent: string | undefined }[] = [];
  const tenantDatabase = {
    acrossInstallations: (_: string, work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
    inInstallation: (_: string, __: InstallationId, work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
  } as unknown as TenantDatabase;
  const taskQueue = {
    send: (_: Tx, __: unknown, ___: unknown, key: unknown) => {
      sent.push({ key, traceparent: currentTrace()?.traceparent });
      return failure !== undefined && key === FIRST ? Promise.reject(failure) : Promise.resolve();
    },
  } as unknown as TaskQueue;
  const waking = new WakeDue(tenantDatabase, taskQueue);
  const end = await waking
    .wakeInstallations('checks', () => Promise.resolve(found), task as never)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return { sent, end };
}

it('the schedule starts a trace per due customer, which its task continues', async () => {
  const spans: EndedSpan[] = [];
  sendSpansTo({ nowMs: () => 0, samples: () => true, add: (span) => spans.push(span) });
  const { sent } = await wake([FIRST, SECOND]);
  expect(
    spans.map(({ name, parentSpanId, attributes }) => [name, parentSpanId, attributes['installation.id']]),
  ).toEqual([
    ['wake checks', undefined, FIRST],
    ['wake checks', undefined, SECOND],
  ]);
  expect(sent.map(({ key }) => key)).toEqual([FIRST, SECOND]);
  expect(sent.map(({ traceparent }) => traceparent)).toEqual(
    spans.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
});

it('without tracing each due customer is woken too', async () => {
  expect((await wake([FIRST])).sent).toEqual([{ key: FIRST, traceparent: undefined }]);
});

it('a customer whose turn fails does not keep those behind it from theirs, and the failure is thrown', async () => {
  const failure = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const { sent, end } = await wake([FIRST, SECOND], failure);
  expect([sent.map(({ key }) => key), end]).toEqual([[FIRST, SECOND], failure]);
});

it('while the database is away no other customer is tried', async () => {
  const failure = new Error('Connection terminated unexpectedly');
  const { sent, end } = await wake([FIRST, SECOND], failure);
  expect([sent.map(({ key }) => key), end]).toEqual([[FIRST], failure]);
});
