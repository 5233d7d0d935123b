import { expect, it } from '@jest/globals';
import type { IssueResponse } from '../../api/schema.js';
import { resolverOf } from './proposal.js';

it.each([
  ['rule', 'bookkeeper'],
  ['outside', 'bookkeeper'],
  ['setting', 'admin'],
] as const)('an issue that a %s resolves is resolved by: %s', (action, role) => {
  expect(resolverOf({ suggestedResolution: { action } } as IssueResponse)).toBe(role);
});
