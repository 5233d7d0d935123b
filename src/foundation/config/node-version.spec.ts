import { expect, it } from '@jest/globals';
import { nodeProblem } from './node-version.js';

it.each([
  ['20.20.2', false],
  ['22.11.9', false],
  ['22.12.0', true],
  ['23.0.0', true],
  ['24.21.0', true],
])('accepts Node %s: %s', (version, will) => {
  const problem = nodeProblem(version);
  expect(problem === undefined).toBe(will);
  expect(problem ?? version).toContain(version);
});
