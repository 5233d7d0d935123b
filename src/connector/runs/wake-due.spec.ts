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

/** What was sent to the queue, and in which trace. */
async function wake(found: readonly InstallationId[]) {
  const sent: { readonly key: unknown; readonly traceparent: string | undefined }[] = [];
  const tenantDatabase = {
    acrossInstallations: (_: string, work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
    inInstallation: (_: string, __: InstallationId, work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
  } as unknown as TenantDatabase;
  const taskQueue = {
    send: (_: Tx, __: unknown, ___: unknown, key: unknown) => {
      sent.push({ key, traceparent: currentTrace()?.traceparent });
      return Promise.resolve();
    },
  } as unknown as TaskQueue;
  await new WakeDue(tenantDatabase, taskQueue).wakeInstallations('checks', () => Promise.resolve(found), task as never);
  return sent;
}

it('the schedule starts a trace per due customer, which its task continues', async () => {
  const spans: EndedSpan[] = [];
  sendSpansTo({ nowMs: () => 0, samples: () => true, add: (span) => spans.push(span) });
  const sent = await wake([FIRST, SECOND]);
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
  expect(await wake([FIRST])).toEqual([{ key: FIRST, traceparent: undefined }]);
});
