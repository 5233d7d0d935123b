import { expect, it } from '@jest/globals';
import { Problem } from '../../../foundation/http/problem.js';
import { AuthorizationLost, InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';
import { BudgetExhausted, InteractiveShareExhausted } from '../../platform/request-budget.js';
import { dependencyProblemOf } from './dependency-errors.interceptor.js';

const optionsOf = (error: Error) => {
  const thrown = dependencyProblemOf(error);
  return thrown instanceof Problem ? thrown.options : undefined;
};

it.each([
  ['an exhausted request budget', new BudgetExhausted('exhausted'), 503, '30'],
  ['an exhausted share of interactive requests', new InteractiveShareExhausted('exhausted', 10), 429, '10'],
  ['a refusal', new PlatformRefusal(429, 'x', 'x', undefined), 503, '30'],
  ['an invalid response', new InvalidPlatformResponse('x'), 503, '30'],
  ['a lost authorization', new AuthorizationLost('x'), 409, undefined],
])('maps %s to a problem', (_, error, status, retryAfter) => {
  const options = optionsOf(error);
  expect([options?.status, options?.headers?.['retry-after']]).toEqual([status, retryAfter]);
});

it('leaves any other error as it is', () => {
  const error = new Error('bug');
  expect(dependencyProblemOf(error)).toBe(error);
});
