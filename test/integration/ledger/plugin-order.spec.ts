import { expect, it } from '@jest/globals';
import { startedOnce } from '../../support/started-once.js';
import { startLedger } from './ledger-harness.js';

// The order of the plugins by its effects: ledger-program.ts.

const ledger = startedOnce(startLedger);

it('a refusal has the headers of every response', async () => {
  const { status, headers } = await ledger.read('/health', { 'x-long': 'x'.repeat(16_384) });
  expect(status).toBe(431);
  expect(headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
  });
});
