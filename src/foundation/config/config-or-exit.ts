import { ConfigurationError } from './load-config.js';
import { nodeProblem } from './node-version.js';

const EXIT_CONFIGURATION = 78;

/** Reads the configuration, or prints all its problems to standard error and ends the process (sysexits EX_CONFIG). */
export function configOrExit<Config>(load: () => Config): Config {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
  try {
    return load();
  } catch (error) {
    exitOverConfiguration(error);
    throw error;
  }
}

/** Ends the process when it is the configuration that is wrong; returns for any other error. */
export function exitOverConfiguration(error: unknown): void {
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
}
