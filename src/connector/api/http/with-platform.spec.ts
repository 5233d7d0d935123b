import { expect, it } from '@jest/globals';
import { Problem } from '../../../foundation/http/problem.js';
import { AuthorizationLost, PlatformNonsense, PlatformRefusal } from '../../platform/platform-error.js';
import { BudgetSpent, ShareSpent } from '../../platform/request-budget.js';
import { withPlatform } from './with-platform.js';

const optionsOf = async (error: Error) => {
  const thrown: unknown = await withPlatform(Promise.reject(error)).catch((each: unknown) => each);
  return thrown instanceof Problem ? thrown.options : undefined;
};

it.each([
  ['a budget that is booked out', new BudgetSpent('booked out'), 503, '30'],
  ['people’s share of it that is spent', new ShareSpent('spent', 10), 429, '10'],
  ['a refusal', new PlatformRefusal(429, 'x', 'x', undefined), 503, '30'],
  ['nonsense', new PlatformNonsense('x'), 503, '30'],
  ['a grant that is lost', new AuthorizationLost('x'), 409, undefined],
])('%s is answered', async (_, error, status, retryAfter) => {
  const options = await optionsOf(error);
  expect([options?.status, options?.headers?.['retry-after']]).toEqual([status, retryAfter]);
});

it('anything else goes on as it is', async () => {
  await expect(withPlatform(Promise.reject(new Error('bug')))).rejects.toThrow('bug');
});
