import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';

let programs: RunningPrograms;
beforeEach(async () => {
  // No poll of its own within the test: what is exported, the webhook has announced.
  programs = await RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '600' });
});
afterEach(() => programs.stop());

/** Past the delay between the second attempt and the third. */
const LATER_SECONDS = 310;

/**
 * Waits until the platform has had so many answers. An API that is not back for the second attempt, five seconds after the
 * first, is met by the third, which the platform's clock brings near.
 */
async function untilAccepted(answers: readonly unknown[], times: number, killed: () => boolean): Promise<void> {
  while (!killed()) {
    await programs.clock.sleep(50);
  }
  await programs.areAllReady();
  if (answers.length < times) {
    await programs.clients.simulator.post('/control/clock', { advanceSeconds: LATER_SECONDS });
  }
  while (answers.length < times) {
    await programs.clock.sleep(200);
  }
}

interface DeliveryResponse {
  readonly webhookId: string;
  readonly status: number;
}

describe('the API process killed with kill -9', () => {
  it('after it has stored a webhook, before the platform hears so: the resend is absorbed, there is one job', async () => {
    const answers: DeliveryResponse[] = [];
    programs.connectorProxy.boundaries = {
      onResponse: ({ path, headers }, status) => {
        if (!path.startsWith('/webhooks/')) {
          return true;
        }
        answers.push({ webhookId: String(headers['webhook-id']), status });
        if (answers.length > 1) {
          return true;
        }
        programs.api.kill('SIGKILL');
        return false;
      },
    };
    await triggerExport(programs.clients.simulator);
    await untilAccepted(answers, 2, () => answers.length > 0);
    const job = await programs.verdict();
    const [first, second] = answers;
    expect([first?.status, second?.status]).toEqual([202, 200]);
    expect(second?.webhookId).toBe(first?.webhookId);
    await expectExactExport(programs, job);
    expect(await programs.jobCount()).toBe(1);
  });

  it('before it has stored a webhook: the resend is stored, there is one job', async () => {
    const answers: number[] = [];
    let killed = false;
    programs.connectorProxy.boundaries = {
      onRequest: ({ path }) => {
        if (killed || !path.startsWith('/webhooks/')) {
          return true;
        }
        killed = true;
        programs.api.kill('SIGKILL');
        return true;
      },
      onResponse: ({ path }, status) => {
        if (path.startsWith('/webhooks/')) {
          answers.push(status);
        }
        return true;
      },
    };
    await triggerExport(programs.clients.simulator);
    await untilAccepted(answers, 1, () => killed);
    expect(answers).toEqual([202]);
    await expectExactExport(programs, await programs.verdict());
    expect(await programs.jobCount()).toBe(1);
  });
});
