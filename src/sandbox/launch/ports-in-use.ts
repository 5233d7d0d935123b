import { ConfigurationError } from '../../foundation/config/load-config.js';
import { isFree } from '../../foundation/process/free-port.js';
import type { LaunchArguments } from './arguments.js';
import { PORT_VARIABLES, type Ports } from './launch-settings.js';

/**
 * A program of another launch on the same port would be mistaken for one of this launch.
 * @param only the one program that is started; undefined: all of them
 * @throws ConfigurationError naming each port that is in use, and the variable that sets it
 */
export async function assertPortsFree(ports: Ports, only: LaunchArguments['only']): Promise<void> {
  const names = only === undefined ? (Object.keys(PORT_VARIABLES) as (keyof Ports)[]) : [only];
  const problems: string[] = [];
  for (const name of names) {
    if (!(await isFree(ports[name]))) {
      problems.push(
        `${PORT_VARIABLES[name]}: port ${ports[name].toString()} is in use; stop the program that uses it, or set another port`,
      );
    }
  }
  if (problems.length > 0) {
    throw new ConfigurationError(problems);
  }
}
