import { expect, it } from '@jest/globals';
import { absoluteAdapters } from './adapter-paths.js';

it.each([
  ['../own/erp.js', '/home/own/erp.js'],
  ['@acme/erp, ./erp.js,/opt/erp.js', '@acme/erp,/home/connector/erp.js,/opt/erp.js'],
  ['', ''],
])('adapters named %j are found from wherever a program starts', (names, absolute) => {
  expect(absoluteAdapters(names, '/home/connector')).toBe(absolute);
});
