import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

const runsSchema = z.object({
  data: z.array(
    z.object({
      kind: z.string(),
      state: z.string(),
      reason: z.string(),
      failure: z.string().nullable(),
      counts: z.record(z.string(), z.unknown()),
    }),
  ),
});
const accountsSchema = z.object({ data: z.array(z.object({ code: z.string() })) });
const booksSchema = z.object({ data: z.array(z.object({ code: z.string(), active: z.boolean() })) });
const RUNS = '/api/v1/reference-data/runs?limit=20';

const ACCEPTED = 202;

const programs = startedOnce(() => RunningPrograms.start());

async function finishedRuns(count: number) {
  for (;;) {
    const { data } = await programs.clients.connector.read(RUNS, runsSchema);
    const open = data.filter(({ state }) => state === 'requested' || state === 'running');
    if (open.length === 0 && data.length >= count) {
      return data;
    }
    await programs.clock.sleep(500);
  }
}

it('a newly connected company receives the master data of its ERP, and a second run changes nothing', async () => {
  const first = await finishedRuns(4);
  expect(new Set(first.map(({ kind }) => kind))).toEqual(new Set(['tax-codes', 'accounts', 'tags', 'vendors']));
  expect(first.filter(({ failure }) => failure !== null)).toEqual([]);

  const path = `/companies/${demoCompany.ledgerId}/accounts?limit=100`;
  const books = await programs.clients.ledger.read(path, booksSchema);
  const platform = await programs.clients.simulator.read(
    `/control/companies/${demoCompany.id}/accounts?limit=100`,
    accountsSchema,
  );
  expect(platform.data.map(({ code }) => code).toSorted()).toEqual(
    books.data
      .filter(({ active }) => active)
      .map(({ code }) => code)
      .toSorted(),
  );

  const again = { kinds: ['tax-codes', 'accounts', 'tags', 'vendors'] };
  await programs.clients.connector.post('/api/v1/reference-data/runs', again, [ACCEPTED]);
  const all = await finishedRuns(first.length + 4);
  const second = all.slice(0, all.length - first.length);
  for (const { kind, counts } of second) {
    expect({ kind, ...counts }).toMatchObject({ kind, created: 0, updated: 0, archived: 0, unarchived: 0 });
  }
});
