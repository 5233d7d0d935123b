import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pressExport } from '../../src/launch/demo/press-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';

let programs: RunningPrograms;
beforeEach(async () => {
  // No poll of its own within the test: what is exported, the webhook has told of.
  programs = await RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '600' });
});
afterEach(() => programs.stop());

interface Answer {
  readonly webhookId: string;
  readonly status: number;
}

describe('the API process killed with kill -9', () => {
  it('after it has stored a webhook, before the platform hears so: the resend is absorbed, there is one job', async () => {
    const answers: Answer[] = [];
    programs.connectorProxy.boundaries = {
      onAnswer: ({ path, headers }, status) => {
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
    await pressExport(programs.clients.simulator);
    while (answers.length < 2) {
      await programs.clock.sleep(200);
    }
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
      onAnswer: ({ path }, status) => {
        if (path.startsWith('/webhooks/')) {
          answers.push(status);
        }
        return true;
      },
    };
    await pressExport(programs.clients.simulator);
    while (answers.length === 0) {
      await programs.clock.sleep(200);
    }
    expect(answers).toEqual([202]);
    await expectExactExport(programs, await programs.verdict());
    expect(await programs.jobCount()).toBe(1);
  });
});
