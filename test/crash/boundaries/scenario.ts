// What a round consists of, whatever is done in it.
import type { Passing, ScriptedResponse } from '../../../src/erp-contract/http-proxy.js';
import type { World } from './world.js';

/** What was begun in a round, and what has to come of it. */
export interface Outcome {
  /** Whether all of it has ended. */
  readonly isQuiet: () => Promise<boolean>;
  /** @returns a sentence for each invariant that is broken; may try whether things work, with nothing in the way any more */
  readonly check: () => Promise<readonly string[]>;
  /** The same, once all rounds are over: what may take its time. */
  readonly later?: () => Promise<readonly string[]>;
}

/** A round for which everything is ready. */
export interface Prepared {
  /**
   * What is disturbed concerns these: ids of installations, and of companies on the platform and in the books, or names of
   * tables where no id is known yet. The demo's where nothing is said.
   */
  readonly subjects?: readonly string[];
  /** Does something just before a request passes, and may answer it. @param name of the boundary */
  readonly intervene?: (name: string, passing: Passing) => Promise<ScriptedResponse | undefined>;
  /** Seconds in which the work goes on after a kill; 40 where nothing is said. */
  readonly takenAgainS?: number;
  /** The part that is recorded and disturbed. */
  readonly begin: () => Promise<Outcome>;
}

/** Brings about, undisturbed, what its part needs that is disturbed. */
export type Scenario = (world: World) => Promise<Prepared>;
