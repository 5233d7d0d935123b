import { ConfigurationError } from './load-config.js';

const EXIT_CONFIGURATION = 78;

/** Reads the configuration, or tells every problem of it on standard error and ends the process (sysexits EX_CONFIG). */
export function configOrExit<Config>(load: () => Config): Config {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigurationError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(EXIT_CONFIGURATION);
    }
    throw error;
  }
}
