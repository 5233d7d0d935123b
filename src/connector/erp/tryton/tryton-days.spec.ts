import { expect, it } from '@jest/globals';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import type { Clock } from '../../../kernel/clock.js';
import type { ErpCall } from '../erp-call.js';
import type { MoveReferencesReader } from './move-references.js';
import { TrytonCompanies } from './tryton-companies.js';
import type { TrytonLines } from './tryton-lines.js';
import { TrytonMasterData } from './tryton-master-data.js';
import type { TrytonMove, TrytonMoves } from './tryton-moves.js';
import type { TrytonRpc } from './tryton-rpc.js';
import { TrytonSteps } from './tryton-steps.js';

// New Year's Day in Auckland, while it is the last day of the old year in UTC.
const clock = { now: () => new Date('2025-12-31T20:00:00Z') } as Clock;
const call = { company: toErpCompanyId('1') } as ErpCall;

function opened(timezone: string) {
  const rows = {
    'company.company': [{ id: 1, 'party.': {}, 'currency.': { code: 'EUR' }, timezone }],
    'account.account': [
      { id: 7, code: '5410', name: 'Tools', type: 1, start_date: parseLocalDate('2026-01-01'), 'taxes.': [] },
    ],
  };
  const rpc = {
    readAll: (_: unknown, model: keyof typeof rows) => Promise.resolve(rows[model]),
  } as unknown as TrytonRpc;
  const references = {
    read: () => Promise.resolve({ journal: 3, openPeriod: (date: string) => (date > '2026' ? 26 : undefined) }),
  } as unknown as MoveReferencesReader;
  const lines = { read: () => Promise.resolve(new Map()) } as unknown as TrytonLines;
  const companies = new TrytonCompanies(rpc);
  const masterData = new TrytonMasterData(rpc, clock, false);
  const steps = new TrytonSteps(companies, rpc, {} as TrytonMoves, lines, references, clock);
  const isActive = async () => {
    const facts = await companies.facts(call);
    return facts && (await masterData.accounts(call, facts))[0]?.active;
  };
  const move = { moveId: 5, description: 'm', date: parseLocalDate('2025-11-30') } as TrytonMove;
  return { isActive, reversed: () => steps.reversals(call, [[move]]) };
}

it('an account is active from its first day where the company is', async () => {
  expect([await opened('Pacific/Auckland').isActive(), await opened('Europe/Berlin').isActive()]).toEqual([
    true,
    false,
  ]);
});

it('an entry of a closed period is reversed on the day that it is where the company is', async () => {
  expect(await opened('Pacific/Auckland').reversed()).toMatchObject([
    { drafts: [{ period: 26, date: { year: 2026, month: 1, day: 1 } }] },
  ]);
});

it('a time zone that there is not is that of UTC', async () => {
  expect([await opened('Mars/Olympus').isActive(), await opened('Mars/Olympus').reversed()]).toEqual([
    false,
    [{ refused: 'No period of the company is open on 2025-12-31.' }],
  ]);
});
