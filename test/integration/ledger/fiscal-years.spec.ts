import { beforeEach, expect, it } from '@jest/globals';
import { createCompany, group, startLedger } from './ledger-harness.js';
import { startedOnce } from '../../support/started-once.js';

const ledger = startedOnce(startLedger);
let path: string;

beforeEach(async () => {
  path = `/companies/${await createCompany(ledger)}`;
  await ledger.call('PUT', `${path}/periods`, {
    data: [{ fiscalYear: 2027, from: '2027-01-01', to: '2027-12-31', state: 'open' }],
  });
});

const post = () => ledger.call('POST', `${path}/posting-groups`, { groups: [group('a')] });

it('are listed with their days, their state and the last number given', async () => {
  await post();
  const { body } = await ledger.call('GET', `${path}/fiscal-years`);
  expect(body).toEqual({
    data: [
      { year: 2027, from: '2027-01-01', to: '2027-12-31', state: 'open', lastEntryNumber: 0 },
      { year: 2026, from: '2026-01-01', to: '2026-12-31', state: 'open', lastEntryNumber: 1 },
    ],
  });
});

it('close and open with all their periods, and no other', async () => {
  expect((await ledger.call('PUT', `${path}/fiscal-years/2026/state`, { state: 'closed' })).status).toBe(204);
  const { body } = await ledger.call('GET', `${path}/fiscal-years`);
  expect(body).toMatchObject({
    data: [
      { year: 2027, state: 'open' },
      { year: 2026, state: 'closed' },
    ],
  });
  expect((await post()).body).toMatchObject({ outcomes: [{ outcome: 'refused', code: 'period_closed' }] });

  await ledger.call('PUT', `${path}/fiscal-years/2026/state`, { state: 'open' });
  expect((await post()).body).toMatchObject({ outcomes: [{ outcome: 'created' }] });
});

it.each([
  ['2031', { state: 'closed' }, 404],
  ['99999999999', { state: 'closed' }, 404],
  ['x', { state: 'closed' }, 400],
  ['2026', { state: 'ajar' }, 400],
])('year %s with %j gets %d', async (year, body, status) => {
  expect((await ledger.call('PUT', `${path}/fiscal-years/${year}/state`, body)).status).toBe(status);
});
