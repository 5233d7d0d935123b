import { z } from 'zod';
import { demoCompany } from '../../../../src/sandbox/launch/demo/demo-company.js';
import type { Outcome, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';

const KINDS = ['accounts', 'tags', 'vendors'];
/** Its lease is 30 s long; what is due is looked for every 15 s. */
const TAKEN_AGAIN_S = 75;
const BOOKS = `/companies/${demoCompany.ledgerId}`;
const VENDOR = 'V-777';

const runsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

const dimensionsSchema = z.object({ version: z.number() });

let round = 0;

/** An account was made in the books, another closed, a vendor and a dimension's value renamed: a sync brings it to the platform. */
export const reference: Scenario = async (world) => {
  if (round === 0) {
    await chooseDimension(world);
    await change(world);
  }
  await settled(world);
  await change(world);
  return { takenAgainS: TAKEN_AGAIN_S, begin: () => synchronize(world) };
};

/** The same number of changes each time, whose names are new. */
async function change({ programs }: World): Promise<void> {
  const { ledger } = programs.clients;
  round += 1;
  const put = (path: string, data: readonly object[]) => ledger.put(`${BOOKS}/${path}`, { json: { data } });
  await put('accounts', [account(round, true), ...(round > 1 ? [account(round - 1, false)] : [])]);
  const value = { dimensionCode: 'CC', code: '910', name: `Office ${round.toString()}`, active: true };
  await put('dimension-values', [value]);
  const name = `Kontor ${round.toString()} AS`;
  await put('vendors', [{ number: VENDOR, externalId: VENDOR, name, country: 'EE', defaultCurrency: 'EUR' }]);
}

function account(number: number, active: boolean) {
  const code = `7${number.toString().padStart(4, '0')}`;
  return { code, externalId: `account-${code}`, name: `Sundries ${number.toString()}`, type: 'expense', active };
}

async function synchronize(world: World): Promise<Outcome> {
  const ids = await request(world);
  return {
    isQuiet: () => hasNoOpenRun(world),
    check: async () => [
      ...difference(
        'runs',
        await runsOf(world, ids),
        ids.map(() => 'completed'),
      ),
      ...(await differencesToBooks(world)),
      ...(await checkFixedPoint(world)),
    ],
  };
}

/** A second sync changes nothing (I29). */
async function checkFixedPoint(world: World): Promise<readonly string[]> {
  const ids = await request(world);
  await world.until('a second sync', () => hasNoOpenRun(world));
  const changes = await world.texts(
    `SELECT kind || ' ' || action || ' ' || key AS text FROM connector.sync_record r
     JOIN connector.sync_run ON id = run_id WHERE run_id = ANY($1::uuid[]) AND action IS NOT NULL`,
    [ids],
  );
  return [...difference('changes of a second sync (I29)', changes, []), ...(await differencesToBooks(world))];
}

/** What was there before the round is out of the way. */
async function settled(world: World): Promise<void> {
  await world.until('the syncs before', () => hasNoOpenRun(world));
  await request(world);
  await world.until('the sync before', () => hasNoOpenRun(world));
}

/** @returns ids of the runs */
async function request(world: World): Promise<readonly string[]> {
  const answer = await world.ask({ method: 'POST', path: '/api/v1/reference-data/runs', json: { kinds: KINDS } });
  return runsSchema.parse(answer).data.map(({ id }) => id);
}

/** Its values are tags from then on. */
async function chooseDimension({ programs }: World): Promise<void> {
  const path = '/api/v1/reference-data/dimensions';
  const { version } = await programs.clients.connector.read(path, dimensionsSchema);
  const headers = { 'if-match': `"${version.toString()}"` };
  await programs.clients.connector.put(path, { json: { codes: ['CC'] }, headers });
}

async function hasNoOpenRun({ database, installationId }: World): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT FROM connector.sync_run WHERE installation_id = $1 AND state IN ('requested', 'running')`,
    [installationId],
  );
  return rows.length === 0;
}

async function runsOf(world: World, ids: readonly string[]): Promise<readonly string[]> {
  return world.texts(
    `SELECT state || coalesce(' ' || failure::text, '') AS text FROM connector.sync_run WHERE id = ANY($1::uuid[]) ORDER BY kind`,
    [ids],
  );
}

/** Accounts, values and vendors of the round, by code and name: on the platform, and in the books. */
async function differencesToBooks(world: World): Promise<readonly string[]> {
  const companies = [demoCompany.id, demoCompany.ledgerId] as const;
  const [company] = companies;
  const books = (statement: string) => world.texts(`${statement} ORDER BY 1`, [demoCompany.ledgerId]);
  const platform = (statement: string) => world.texts(`${statement} ORDER BY 1`, [company]);
  return [
    ...difference(
      'accounts (I29)',
      await platform(
        `SELECT code || ' ' || name AS text FROM simulator.account WHERE company_id = $1 AND NOT archived`,
      ),
      await books(`SELECT code || ' ' || name AS text FROM ledger.account WHERE company_id = $1 AND active`),
    ),
    ...difference(
      'values of a dimension (I29)',
      await platform(`SELECT t.code || ' ' || t.name AS text FROM simulator.tag t JOIN simulator.tag_group g ON g.id = group_id
        WHERE t.company_id = $1 AND g.code = 'CC' AND NOT t.archived AND NOT g.archived`),
      await books(`SELECT code || ' ' || name AS text FROM ledger.dimension_value
        WHERE company_id = $1 AND dimension_code = 'CC' AND active`),
    ),
    ...difference(
      'the vendor (I29)',
      await platform(
        `SELECT name || ' ' || state AS text FROM simulator.vendor WHERE company_id = $1 AND name LIKE 'Kontor %'`,
      ),
      await books(`SELECT name || ' ACTIVE' AS text FROM ledger.vendor WHERE company_id = $1 AND name LIKE 'Kontor %'`),
    ),
  ];
}
