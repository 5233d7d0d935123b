import { ConfigurationError } from '../../foundation/config/load-config.js';
import { takeExclusiveUse } from '../../foundation/database/exclusive-use.js';
import type { LaunchArguments } from './arguments.js';

/** The programs that write, by the number of their claim. */
const PROGRAMS = { simulator: 1, ledger: 2, connector: 3 };

/**
 * Prevents a second launch on the same data: it would register the platform's client again, and break every sign-in of the first.
 * @param only the one program that is started; undefined: all of them
 * @returns gives the claim back
 * @throws ConfigurationError naming the process that has the data
 */
export async function claimData(url: string, only: LaunchArguments['only']): Promise<() => Promise<void>> {
  const parts = only === undefined ? Object.values(PROGRAMS) : [PROGRAMS[only]];
  const use = await takeExclusiveUse(url, `npm start, process ${process.pid.toString()}`, parts);
  if ('heldBy' in use) {
    throw new ConfigurationError([
      `this data is in use by ${use.heldBy}; end that one with Ctrl-C, or start with --once, which takes fresh data and free ports`,
    ]);
  }
  return use.release;
}
