import { expect, it } from '@jest/globals';
import { reversalOf, type StoredEntry } from './generated-entries.js';

const entry: StoredEntry = {
  id: 'id',
  groupId: 'group',
  key: 'key',
  role: 'entry',
  state: 'posted',
  fiscalYear: 2026,
  number: '7',
  postingDate: '2026-03-02',
  documentNumber: null,
  currency: 'EUR',
  description: 'Taxi',
  reference: null,
  settlement: null,
  lines: [],
};

it.each([
  ['is named', 'Taxi', 'Reversal of 7: Taxi'],
  ['is cut at the end of a character', '🚕'.repeat(500), `Reversal of 7: ${'🚕'.repeat(492)}`],
])('the description of a reversal: the entry %s', (_, description, expected) => {
  expect(reversalOf({ ...entry, description }, '2026-03-03').description).toBe(expected);
});
