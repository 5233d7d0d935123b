import type { DemoCustomer } from '../../../../src/sandbox/launch/demo/demo-customers.js';
import type { Prepared, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';
import { consent, freshCompany, isConnected, setUp, tryExport } from './fresh-company.js';

/** An unfinished connection is due again after two minutes. */
const TAKEN_AGAIN_S = 150;

/** A company that was never there connects by OAuth, up to its first export. */
export const connect: Scenario = async (world) => {
  const customer = await freshCompany(world);
  const { id, ledgerId } = customer.company;
  return {
    // An attempt to connect has no company yet.
    subjects: [id, ledgerId, 'connection_attempt'],
    takenAgainS: TAKEN_AGAIN_S,
    begin: async () => {
      await consent(world, customer);
      return { isQuiet: () => isConnected(world, customer), check: () => checkConnection(world, customer) };
    },
  } satisfies Prepared;
};

/** One installation and one subscription, here and on the platform, and an export goes through. */
export async function checkConnection(
  world: World,
  customer: DemoCustomer,
  generation = 1,
): Promise<readonly string[]> {
  const { id } = customer.company;
  const installations = await world.texts(
    `SELECT state || ' ' || generation AS text FROM connector.installation WHERE platform_company_id = $1`,
    [id],
  );
  const onPlatform = await world.texts(
    `SELECT status AS text FROM simulator.installation WHERE resource LIKE '%' || $1 AND deleted_at IS NULL`,
    [id],
  );
  const subscriptions = await world.texts(
    `SELECT id::text AS text FROM simulator.subscription WHERE resource LIKE '%' || $1 AND deleted_at IS NULL`,
    [id],
  );
  const known = await world.texts(
    `SELECT platform_subscription_id::text AS text FROM connector.subscription JOIN connector.installation i
       ON i.id = installation_id WHERE platform_company_id = $1`,
    [id],
  );
  await setUp(world, customer);
  return [
    ...difference('installations (I33)', installations, [`active ${generation.toString()}`]),
    ...difference('installations on the platform', onPlatform, ['ACTIVATED']),
    ...difference('subscriptions on the platform (I33)', subscriptions, known),
    ...difference('number of subscriptions', known.length, 1),
    ...(await tryExport(world, customer)),
  ];
}
