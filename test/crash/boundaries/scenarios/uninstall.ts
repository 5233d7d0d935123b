import type { DemoCustomer } from '../../../../src/sandbox/launch/demo/demo-customers.js';
import type { Outcome, Prepared, Scenario } from '../scenario.js';
import { claimsOf } from '../access-token.js';
import { difference, type World } from '../world.js';
import { checkConnection } from './connect.js';
import { consent, freshCompany, installationOf, isConnected, setUp, tryExport } from './fresh-company.js';

/** Its token went with the installation: the request before has come through. */
const DONE_BEFORE = 401;
/** Half a minute (I32), and room for a busy machine. */
const DESTROYED_WITHIN = '40 seconds';

/** A company that has exported is uninstalled, and connected again afterwards. */
export const uninstall: Scenario = async (world) => {
  const customer = await freshCompany(world);
  await consent(world, customer);
  await world.until('the connection', () => isConnected(world, customer));
  const token = await setUp(world, customer);
  const before = await tryExport(world, customer);
  const installationId = (await installationOf(world, customer)) ?? '';
  await world.until('the end of what its connection has begun', () => isIdle(world, installationId));
  const { id, ledgerId } = customer.company;
  return {
    subjects: [installationId, id, ledgerId],
    begin: async () => {
      const companyName = encodeURIComponent(customer.company.name);
      const path = `/api/v1/installation?companyName=${companyName}`;
      await world.ask({ method: 'DELETE', path, token, accepts: [DONE_BEFORE] });
      const outcome = uninstalled(world, customer, installationId);
      return { ...outcome, check: async () => [...before, ...(await outcome.check())] };
    },
  } satisfies Prepared;
};

function uninstalled(world: World, customer: DemoCustomer, installationId: string): Outcome {
  return {
    isQuiet: () =>
      world.finds(
        `SELECT FROM connector.installation i WHERE id = $1 AND state = 'uninstalled'
           AND NOT EXISTS (SELECT FROM connector.data_key k WHERE k.installation_id = i.id)
           AND NOT EXISTS (SELECT FROM connector.company_lease l WHERE l.installation_id = i.id AND l.expires_at > now())
           AND NOT EXISTS (SELECT FROM pgboss.job t WHERE t.data->>'installationId' = i.id::text AND t.state = 'active')`,
        [installationId],
      ),
    check: async () => {
      const left = await leftOf(world, customer, installationId);
      const proxies = [...world.programs.platformProxies].map(({ seen }) => ({ seen, until: seen.length }));
      const old = new Set(proxies.flatMap(({ seen }) => seen.map(({ headers }) => headers.authorization)));
      await consent(world, customer);
      await world.until('connecting again', () => isConnected(world, customer));
      const again = await checkConnection(world, customer, 2);
      const since = proxies.flatMap(({ seen, until }) => seen.slice(until));
      // Of other companies there are tokens that go on.
      const uses = since.filter(
        ({ headers: { authorization } }) =>
          old.has(authorization) && claimsOf(authorization).includes(customer.company.id),
      );
      return [...left, ...again, ...difference('uses of an old token (I32)', uses.length, 0)];
    },
  };
}

/** Its first syncs and checks would be counted among the boundaries, each time as many as happen to be left. */
async function isIdle(world: World, installationId: string): Promise<boolean> {
  return !(await world.finds(
    `SELECT FROM connector.sync_run WHERE installation_id = $1 AND state IN ('requested', 'running')
     UNION ALL SELECT FROM connector.reconciliation_run WHERE installation_id = $1 AND state IN ('requested', 'running')
     UNION ALL SELECT FROM pgboss.job WHERE data->>'installationId' = $1::text AND state = 'active'`,
    [installationId],
  ));
}

/** What of the connection is still there, here and on the platform. A task that was waiting finds nothing to do, and ends at once. */
async function leftOf(world: World, { company }: DemoCustomer, installationId: string): Promise<readonly string[]> {
  const left = await world.texts(
    `SELECT 'token' AS text FROM connector.api_token WHERE installation_id = $1
     UNION ALL SELECT 'member' FROM connector.member WHERE installation_id = $1
     UNION ALL SELECT 'data key' FROM connector.data_key WHERE installation_id = $1
     UNION ALL SELECT 'data key for ' || max(a.occurred_at) - i.uninstalled_at
       FROM connector.audit_entry a JOIN connector.installation i ON i.id = a.installation_id
       WHERE i.id = $1 AND a.object = 'data_key' AND a.action = 'removed' GROUP BY i.uninstalled_at
       HAVING max(a.occurred_at) - i.uninstalled_at > $3::interval
     UNION ALL SELECT 'link to the ERP' FROM connector.erp_company_link WHERE installation_id = $1
     UNION ALL SELECT 'task ' || name || ' ' || state FROM pgboss.job WHERE data->>'installationId' = $1::text
       AND (state = 'failed' OR state = 'active' AND started_on < now() - interval '10 seconds')
     UNION ALL SELECT 'installation on the platform' FROM simulator.installation WHERE resource LIKE '%' || $2 AND deleted_at IS NULL
     UNION ALL SELECT 'subscription on the platform' FROM simulator.subscription WHERE resource LIKE '%' || $2 AND deleted_at IS NULL`,
    [installationId, company.id, DESTROYED_WITHIN],
  );
  return difference('left of the installation (I32)', left, []);
}
