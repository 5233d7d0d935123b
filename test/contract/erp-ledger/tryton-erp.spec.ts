// The contract of an ERP adapter against Tryton.
import { describe, it, jest } from '@jest/globals';
import { TRYTON_MISSING } from '../../support/tryton/tryton-server.js';
import { erpContract } from './suite/erp-contract.js';
import { harnesses } from './tryton-harness.js';

jest.setTimeout(300_000);

if (TRYTON_MISSING === undefined) {
  harnesses.forEach(erpContract);
} else {
  const reason = TRYTON_MISSING;
  describe('Tryton', () => {
    it.skip(reason, () => undefined);
  });
}
