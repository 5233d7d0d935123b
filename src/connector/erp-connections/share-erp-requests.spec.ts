import { expect, it } from '@jest/globals';
import { Clock } from '../../kernel/clock.js';
import { toInstallationId } from '../../kernel/ids.js';
import { ShareErpRequests } from './share-erp-requests.js';

/** Time stands still: a sleep ends only with its signal. */
class StoppedClock extends Clock {
  readonly sleeping = new Set<AbortSignal | undefined>();

  override now(): Date {
    return new Date(0);
  }

  override monotonicMs(): number {
    return 0;
  }

  override sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeping.add(signal);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', reject);
    });
  }
}

it('a process that stops waits for nothing of settings that are not stored', async () => {
  const clock = new StoppedClock();
  const unused = {} as never;
  const shareErpRequests = new ShareErpRequests(unused, unused, clock, unused, 5_000);
  const requests = shareErpRequests.of(toInstallationId('00000000-0000-4000-8000-000000000001'), 0, {
    concurrentRequests: 4,
    requestsPerMinute: undefined,
  });
  await requests.acquire({ signal: new AbortController().signal, deadline: new Date(60_000) });
  expect([...clock.sleeping].map((signal) => signal?.aborted)).toEqual([false]);
  shareErpRequests.closeAll();
  expect([...clock.sleeping].map((signal) => signal?.aborted)).toEqual([true]);
});
