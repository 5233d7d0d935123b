import { describe, expect, it } from '@jest/globals';
import { auditValues } from './audit-values.js';

const UUID = '0198c0de-0000-4000-8000-000000000001';

describe('an entry of the log', () => {
  it.each([
    ['shows what was set', null, { role: 'admin', removed_at: null }, [['role', null, 'admin']]],
    ['shows what was and what is', { state: 'running' }, { state: 'completed' }, [['state', 'running', 'completed']]],
    ['shows what was taken away', { note: 'later' }, null, [['note', 'later', null]]],
    [
      'shows numbers and yes or no',
      null,
      { rules: 3, whole: false },
      [
        ['rules', null, 3],
        ['whole', null, false],
      ],
    ],
    [
      'keeps ids, hashes and keys for programs',
      { erp_company_id: 'x' },
      { hash: 'y', ring_key_id: 'z', ref: UUID },
      [],
    ],
    ['names people by what they are', null, { made_by: `person ${UUID}` }, [['made_by', null, `person ${UUID}`]]],
    ['leaves lists and objects to the record', null, { settings: { accounts: {} }, kinds: ['a'] }, []],
    ['does not tell what stayed', { role: 'admin' }, { role: 'admin' }, []],
  ])('%s', (_, before, after, told) => {
    expect(auditValues(before, after).map((value) => [value.field, value.before, value.after])).toEqual(told);
  });
});
