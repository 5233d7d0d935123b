import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from './sql.js';
import type { Tx } from './transaction.js';

/** On whose behalf a call runs. */
export interface Actor {
  /** A token, a person or the operator; undefined for an anonymous client. */
  readonly name: string | undefined;
  readonly requestId: string | undefined;
}

const NO_ACTOR: Actor = { name: undefined, requestId: undefined };

const scope = new AsyncLocalStorage<Actor>();

/** Runs `work`, and everything it calls, on behalf of `actor`. */
export function onBehalfOf<T>(actor: Actor, work: () => T): T {
  return scope.run(actor, work);
}

/** Records all changes of this transaction on behalf of a person identified in it, unless its caller was before. */
export async function actAs(tx: Tx, name: string): Promise<void> {
  if (currentActor().name === undefined) {
    await tx.execute(sql`SELECT set_config('app.actor', ${name}, true)`);
  }
}

/** Who the present call is on behalf of. */
export function currentActor(): Actor {
  return scope.getStore() ?? NO_ACTOR;
}
