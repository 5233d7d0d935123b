import { z } from 'zod';
import type { ScriptedResponse } from '../../../../src/erp-contract/http-proxy.js';
import type { Prepared, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';
import { exportItems, outcomeOf, purchase } from './exports.js';

/** The first thing that is said about the job; what follows needs a new token. */
const MIDDLE = 'worker>platform POST /v3/export-job-events';
/** So long the platform takes a used refresh token again whose answer was lost: longer than any fault lasts. */
const GRACE_SECONDS = 600;

const EXPIRED: ScriptedResponse = {
  status: 401,
  headers: { 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer error="invalid_token"' },
  body: JSON.stringify({ type: 'unauthorized', title: 'Unauthorized', status: 401 }),
};
const companiesSchema = z.object({ data: z.array(z.unknown()) });

/** An export in whose middle the access token is refused: it is refreshed once, and everything goes on with the new one. */
export const refresh: Scenario = async (world) => {
  await world.programs.clients.simulator.put('/control/settings', {
    json: { refreshRotation: 'grace', refreshGraceSeconds: GRACE_SECONDS },
  });
  const before = await credentialOf(world);
  const isOver = tokenThatEnds();
  return {
    intervene: (name, { headers }) => Promise.resolve(isOver(name, headers.authorization) ? EXPIRED : undefined),
    begin: async () => {
      const outcome = await outcomeOf(world, await exportItems(world, [purchase()]));
      return { ...outcome, check: async () => [...(await outcome.check()), ...(await checkToken(world, before))] };
    },
  } satisfies Prepared;
};

/** @returns whether a request is refused: the token of the one in the middle has ended for it and for all later ones */
function tokenThatEnds(): (name: string, authorization: string | undefined) => boolean {
  let ended: string | undefined;
  return (name, authorization) => {
    ended ??= name === MIDDLE ? authorization : undefined;
    return ended !== undefined && authorization === ended;
  };
}

async function credentialOf({ database, installationId }: World) {
  const { rows } = await database.query<{ version: number; state: string; is_claimed: boolean }>(
    `SELECT c.version, i.state, c.refreshing_until > now() AS is_claimed
     FROM connector.credential c JOIN connector.installation i ON i.id = c.installation_id
     WHERE c.installation_id = $1 AND c.erp_generation = 0`,
    [installationId],
  );
  return rows[0];
}

async function checkToken(world: World, before: Awaited<ReturnType<typeof credentialOf>>): Promise<readonly string[]> {
  const now = await credentialOf(world);
  // A small request that needs the platform: with the token that is stored now.
  const works = await world.programs.clients.connector.read('/api/v1/reference-data/companies', companiesSchema).then(
    ({ data }) => data.length > 0,
    (error: unknown) => String(error),
  );
  return [
    ...difference('state of the installation (I19)', now?.state, 'active'),
    ...difference('credentials stored since', (now?.version ?? 0) - (before?.version ?? 0), 1),
    ...difference('a request with the stored token (I19)', works, true),
  ];
}
