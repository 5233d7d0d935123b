import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import type { Passing } from '../../src/erp-contract/http-proxy.js';
import { RunningPrograms } from '../support/running-programs.js';

const AT_ONCE = 20;

let programs: RunningPrograms;
beforeEach(async () => {
  // No poll of its own within the test: what is exported, the webhook has announced.
  programs = await RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '600' });
});
afterEach(() => programs.stop());

/** The same bytes and headers once more, to one API process. */
async function deliver(url: string, { method, path, headers, body }: Passing): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(new URL(path, url), { method, headers: { ...headers } }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode ?? 0);
      });
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

it('two API processes given one webhook at the same moment store it once; when one is killed the other goes on', async () => {
  const second = await programs.addApi();
  const held = Promise.withResolvers<Passing>();
  programs.connectorProxy.boundaries = {
    onRequest: (passing) => {
      if (passing.path.startsWith('/webhooks/')) {
        held.resolve(passing);
        return false;
      }
      return true;
    },
  };
  await triggerExport(programs.clients.simulator);
  const webhook = await held.promise;
  const statuses = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => deliver(n % 2 === 0 ? programs.apiUrl : second.url, webhook)),
  );
  expect(statuses.toSorted()).toEqual([...Array.from({ length: AT_ONCE - 1 }, () => 200), 202]);
  await expectExactExport(programs, await programs.verdict());
  expect(await programs.jobCount()).toBe(1);
  programs.api.kill('SIGKILL');
  expect(await deliver(second.url, webhook)).toBe(200);
});
