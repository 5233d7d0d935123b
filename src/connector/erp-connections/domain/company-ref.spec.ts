import { expect, it } from '@jest/globals';
import { toErpCompanyId } from '../../../kernel/ids.js';
import { companyRef, parseCompanyRef } from './company-ref.js';

it.each([
  [1, true, 'C-1', 'C-1', undefined],
  [2, false, 'C-1', '2!C-1', 2],
  [1, false, '1', '1!1', 1],
  // What an ERP itself names so is not taken for another connection's.
  [1, true, '2!C-1', '1!2!C-1', 1],
  [1, true, 'C!1', 'C!1', undefined],
  [3, false, '2!C\n1', '3!2!C\n1', 3],
])(
  'the reference of connection %i (first: %s), company %j, is stored as %j and parsed back',
  (generation, isFirst, id, ref, found) => {
    const company = toErpCompanyId(id);
    expect(companyRef(generation, isFirst, company)).toBe(ref);
    expect(parseCompanyRef(toErpCompanyId(ref))).toEqual({ generation: found, company });
  },
);
