import { expect, it } from '@jest/globals';
import { Problem } from '../../../foundation/http/problem.js';
import {
  AuthorizationLost,
  InvalidPlatformResponse,
  PlatformRefusal,
} from '../../platform/platform-error.js';
import { BudgetExhausted, InteractiveShareExhausted } from '../../platform/request-budget.js';
import { mapPlatformErrors } from './platform-problems.js';

const optionsOf = async (error: Error) => {
  const thrown: unknown = await mapPlatformErrors(Promise.reject(error)).catch((each: unknown) => each);
  return thrown instanceof Problem ? thrown.options : undefined;
};

it.each([
  ['a budget that is booked out', new BudgetExhausted('booked out'), 503, '30'],
  ['people’s share of it that is spent', new InteractiveShareExhausted('spent', 10), 429, '10'],
  ['a refusal', new PlatformRefusal(429, 'x', 'x', undefined), 503, '30'],
  ['nonsense', new InvalidPlatformResponse('x'), 503, '30'],
  ['a grant that is lost', new AuthorizationLost('x'), 409, undefined],
])('%s is answered', async (_, error, status, retryAfter) => {
  const options = await optionsOf(error);
  expect([options?.status, options?.headers?.['retry-after']]).toEqual([status, retryAfter]);
});

it('anything else goes on as it is', async () => {
  await expect(mapPlatformErrors(Promise.reject(new Error('bug')))).rejects.toThrow('bug');
});
