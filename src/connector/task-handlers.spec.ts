import { describe, expect, it } from '@jest/globals';
import { taskHandlers, type UseCases } from './task-handlers.js';

const INSTALLATION = '0f0e0d0c-0000-4000-8000-000000000001';

/** Runs a task with use cases that only say that they were called. */
async function callsOf(kind: string, payload: object, eventType?: string): Promise<readonly string[]> {
  const calls: string[] = [];
  const said = (name: string) => (installationId: string) => {
    calls.push(`${name} ${installationId}`);
    return Promise.resolve();
  };
  const use: unknown = {
    webhooks: { eventTypeOf: () => Promise.resolve(eventType) },
    installations: { finishConnection: said('finish'), poll: said('poll') },
    referenceData: { requestFirstSync: said('connected'), requestDraftSync: said('vendor') },
  };
  const handler = taskHandlers(use as UseCases).find((each) => each.kind === kind);
  await handler?.handle(payload, new AbortController().signal);
  return calls;
}

describe('what a task leads to', () => {
  const notification = { installationId: INSTALLATION, webhookId: 'msg_1' };

  it.each([
    ['v1.export-job.created', ['poll']],
    ['v1.vendor.created', ['vendor']],
    ['v9.something.new', []],
    [undefined, ['poll']],
  ])('a notification of %s', async (eventType, expected) => {
    const calls = await callsOf('handle-notification', notification, eventType);
    expect(calls).toEqual(expected.map((name) => `${name} ${INSTALLATION}`));
  });

  it('a connection that is finished has its reference data brought in step', async () => {
    const calls = await callsOf('finish-connection', { installationId: INSTALLATION });
    expect(calls).toEqual([`finish ${INSTALLATION}`, `connected ${INSTALLATION}`]);
  });
});
