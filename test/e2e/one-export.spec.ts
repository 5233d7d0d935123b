import { describe, expect, it } from '@jest/globals';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { HttpClient } from '../../src/foundation/http/client/http-client.js';
import { RunningPrograms } from '../support/running-programs.js';
import { TraceCollector } from '../support/servers/trace-collector.js';
import { startedOnce } from '../support/started-once.js';

const collector = startedOnce(() => TraceCollector.start());
// Rarely enough that the webhook comes before, on a busy machine too.
const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '15', ...collector.environment }));

describe('one export', () => {
  it('goes from the webhook to the verdict, and the same webhook a hundred times changes nothing', async () => {
    await nextPoll();
    await triggerExport(programs.clients.simulator);
    const job = await programs.verdict();
    expect(job).toMatchObject({
      state: 'completed_with_errors',
      numberOfItems: 147,
      successful: 142,
      failed: 5,
    });
    const before = await programs.journal();
    await expectOneTrace();

    const webhook = programs.connectorProxy.seen.find(({ path }) => path.startsWith('/webhooks/'));
    const again = new HttpClient({
      baseUrl: programs.connectorProxy.url,
      timeoutMs: 10_000,
      maxResponseBytes: 10_000,
      maxConnections: 20,
    });
    const header = (name: string) => String(webhook?.headers[name]);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        again.send({
          method: 'POST',
          path: webhook?.path ?? '',
          headers: {
            'content-type': header('content-type'),
            'webhook-id': header('webhook-id'),
            'webhook-timestamp': header('webhook-timestamp'),
            'webhook-signature': header('webhook-signature'),
            'x-connector-key': header('x-connector-key'),
          },
          body: webhook?.body.toString() ?? '',
        }),
      ),
    );
    again.close();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await programs.acceptedEvents(job.id)).toEqual(['started', 'completed_with_errors']);
    expect(await programs.journal()).toEqual(before);
  });

  it('starts by polling when no webhook arrives, and reports existing entries instead of posting them again', async () => {
    // Every delivery fails, as if our address had been away all the time.
    programs.connectorProxy.boundaries = { onRequest: ({ path }) => !path.startsWith('/webhooks/') };
    const before = await programs.journal();
    // The five failed entries are still to be exported; pressing again makes a new job of them.
    await triggerExport(programs.clients.simulator);
    const job = await waitForSecondJob();
    expect(job).toMatchObject({ state: 'failed', numberOfItems: 5, successful: 0, failed: 5 });
    expect(await programs.acceptedEvents(job.id)).toEqual(['started', 'failed']);
    expect(await programs.journal()).toEqual(before);
  });
});

/** After it the webhook comes long before the one that follows. */
async function nextPoll() {
  const polls = () => programs.platformProxy.seen.filter(({ path }) => path.startsWith('/v3/export-jobs?')).length;
  const before = polls();
  while (polls() === before) {
    await programs.clock.sleep(100);
  }
}

/** From the webhook to the books and back, over both processes and through the queue. */
async function expectOneTrace() {
  const trace = await collector.traceWith('export job');
  const namesOf = (service: string) =>
    new Set(trace.filter((span) => span.service === service).map(({ name }) => name));
  expect(namesOf('connector-api')).toContain('webhook');
  expect([...namesOf('connector-worker')]).toEqual(
    expect.arrayContaining(['task handle-notification', 'export job', 'prepare chunk', 'post chunk']),
  );
  const [root, ...others] = trace.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect([root?.name, others]).toEqual(['webhook', []]);
  const isOfTrace = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
    String(headers['traceparent']).startsWith(`00-${root?.traceId ?? ''}-`);
  expect(programs.ledgerProxy.seen.filter(isOfTrace).map(({ method }) => method)).toContain('POST');
  expect(programs.platformProxy.seen.filter(isOfTrace).length).toBeGreaterThan(2);
}

async function waitForSecondJob() {
  for (;;) {
    const job = await programs.verdict();
    if (job.numberOfItems === 5) {
      return job;
    }
    await programs.clock.sleep(200);
  }
}
