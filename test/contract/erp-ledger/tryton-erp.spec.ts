// The contract of an ERP adapter against Tryton.
import { jest } from '@jest/globals';
import { describeTryton } from '../../support/tryton/describe-tryton.js';
import { contractTests } from './contract-tests.js';
import { harnesses } from './tryton-harness.js';

jest.setTimeout(300_000);

describeTryton('the contract of adapters', () => {
  harnesses.forEach(contractTests);
});
