import { exitOverConfiguration } from '../config/config-or-exit.js';
import type { Logger } from '../logging/logger.js';

const STOP_LIMIT_MS = 25_000;

/** A started program: what to do when it has to stop. */
export interface RunningProgram {
  /** Finishes what is in flight and gives everything back. */
  stop(): Promise<void>;
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it within a limit; signaled while it starts, it is stopped when it has started. As the
 * first process of a container it would not be ended by a signal that it does not take. A promise without a handler, or an
 * uncaught exception, ends the process: a state we did not plan for must not go on writing books.
 */
export async function runProgram(logger: Logger, start: () => Promise<RunningProgram>): Promise<void> {
  const die = (event: string) => (error: unknown) => {
    logger.fatal({ err: error }, event);
    process.exit(1);
  };
  process.on('unhandledRejection', die('process.unhandled_rejection'));
  process.on('uncaughtException', die('process.uncaught_exception'));
  const starting = start();
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) {
      return;
    }
    stopping = true;
    logger.info({ signal }, 'process.stopping');
    setTimeout(() => {
      die('process.stop_limit_passed')(new Error(`not stopped within ${STOP_LIMIT_MS.toString()} ms`));
    }, STOP_LIMIT_MS).unref();
    starting.then((program) => program.stop()).then(() => process.exit(0), die('process.stop_failed'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A parent that disappears takes its children along: started by `npm start`, the channel to it closes.
  process.on('disconnect', () => {
    stop('disconnect');
  });
  await starting.catch((error: unknown) => {
    exitOverConfiguration(error);
    die('process.start_failed')(error);
  });
}
