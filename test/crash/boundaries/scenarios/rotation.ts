import { demoCompany } from '../../../../src/sandbox/launch/demo/demo-company.js';
import type { Outcome, Prepared, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';
import { exportItems, outcomeOf, purchase } from './exports.js';

/** The platform has made the second subscription, and the connector does not know its secret yet. */
const MIDDLE = 'worker>platform GET /v1/subscriptions/*/secret';
/** The maintenance is due again a minute after it was interrupted; the schedule looks once a minute. */
const TAKEN_AGAIN_S = 150;

/** The secret of the webhooks is replaced, and in the middle of it an export is announced, with the old secret and the new. */
export const rotation: Scenario = async (world) => {
  const before = await subscriptionOf(world);
  await world.until('the subscription', () => isRotated(world));
  let announced: Promise<Outcome> | undefined;
  const announce = () =>
    (announced ??= exportItems(world, [purchase()]).then((exported) => outcomeOf(world, exported)));
  return {
    takenAgainS: TAKEN_AGAIN_S,
    intervene: async (name) => {
      if (name === MIDDLE) {
        await announce();
      }
      return undefined;
    },
    begin: async () => {
      await world.ask({ method: 'POST', path: '/api/v1/subscription/secret-rotation' });
      await world.until('the rotation', () => isRotated(world));
      const outcome = await announce();
      return {
        ...outcome,
        check: async () => [...(await outcome.check()), ...(await checkSubscription(world, before))],
      };
    },
  } satisfies Prepared;
};

async function subscriptionOf({ database, installationId }: World): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT platform_subscription_id::text AS id FROM connector.subscription WHERE installation_id = $1',
    [installationId],
  );
  return rows[0]?.id ?? '';
}

async function isRotated(world: World): Promise<boolean> {
  return world.finds(
    `SELECT FROM connector.subscription WHERE installation_id = $1 AND rotation_requested_at IS NULL
       AND next_maintenance_at > now() + interval '1 hour' AND confirmed_status = 'ACTIVE'`,
    [world.installationId],
  );
}

async function newestDelivery(world: World, subscriptionId: string | undefined): Promise<readonly string[]> {
  return world.texts(
    `SELECT state AS text FROM simulator.delivery WHERE subscription_id = $1 ORDER BY position DESC LIMIT 1`,
    [subscriptionId],
  );
}

/** One subscription, not the one before, and the connector takes what is signed with its secret. */
async function checkSubscription(world: World, before: string): Promise<readonly string[]> {
  const [now, ...others] = await world.texts(
    `SELECT id::text AS text FROM simulator.subscription WHERE deleted_at IS NULL AND resource LIKE '%' || $1`,
    [demoCompany.id],
  );
  const next = await outcomeOf(world, await exportItems(world, [purchase()]));
  const violations = await world.untilQuiet(next);
  // Behind a silent database a message is taken at its next attempt, when the export may have been found by polling.
  await world.untilQuiet({ isQuiet: async () => (await newestDelivery(world, now)).join() === 'acknowledged' });
  return [
    ...violations,
    ...difference('subscriptions besides (I33)', others, []),
    ...difference('the subscription that is known', await subscriptionOf(world), now),
    ...difference('whether it is a new one', now === before, false),
    ...difference('the first message since', await newestDelivery(world, now), ['acknowledged']),
    ...(await next.check()),
  ];
}
