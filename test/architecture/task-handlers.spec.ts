import { describe, expect, it } from '@jest/globals';
import { toInstallationId, toWebhookId } from '../../src/kernel/ids.js';
import { ActivateInstallation } from '../../src/connector/activate-installation.js';
import { HandleNotification } from '../../src/connector/handle-notification.js';

const INSTALLATION = toInstallationId('0f0e0d0c-0000-4000-8000-000000000001');

/** Records under which name a use case was called. */
function record(calls: string[], name: string) {
  return (installationId: string) => {
    calls.push(`${name} ${installationId}`);
    return Promise.resolve(0);
  };
}

describe('what a task leads to', () => {
  const notification = { installationId: INSTALLATION, webhookId: toWebhookId('msg_1') };

  it.each([
    ['v1.export-job.created', ['poll']],
    ['v1.vendor.created', ['vendor']],
    ['v9.something.new', []],
    [undefined, ['poll']],
  ])('a notification of %s', async (eventType, expected) => {
    const calls: string[] = [];
    const handleNotification = new HandleNotification(
      { eventTypeOf: () => Promise.resolve(eventType) } as never,
      { poll: record(calls, 'poll') } as never,
      { startAfterVendorCreated: record(calls, 'vendor') } as never,
    );
    await handleNotification.handleNotification(notification);
    expect(calls).toEqual(expected.map((name) => `${name} ${INSTALLATION}`));
  });

  it('a finished connection leads to the first synchronization of the reference data', async () => {
    const calls: string[] = [];
    const activateInstallation = new ActivateInstallation(
      { finishConnection: record(calls, 'finish') } as never,
      { detect: record(calls, 'detect') } as never,
      { requestIfDue: record(calls, 'connected') } as never,
    );
    await activateInstallation.activate(INSTALLATION);
    expect(calls).toEqual([`finish ${INSTALLATION}`, `connected ${INSTALLATION}`]);
  });
});
