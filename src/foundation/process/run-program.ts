import { exitOverConfiguration } from '../config/config-or-exit.js';
import type { Logger } from '../logging/logger.js';

const STOP_LIMIT_MS = 25_000;

/** A started program: what to do when it has to stop. */
export interface RunningProgram {
  /** Finishes what is in flight and gives everything back. */
  stop(): Promise<void>;
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it within a limit. A promise without a handler, or an
 * uncaught exception, ends the process: a state we did not plan for must not go on writing books.
 */
export async function runProgram(logger: Logger, start: () => Promise<RunningProgram>): Promise<void> {
  const die = (event: string) => (error: unknown) => {
    logger.fatal({ err: error }, event);
    process.exit(1);
  };
  process.on('unhandledRejection', die('process.unhandled_rejection'));
  process.on('uncaughtException', die('process.uncaught_exception'));
  const program = await start().catch((error: unknown) => {
    exitOverConfiguration(error);
    return die('process.start_failed')(error);
  });
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
    program.stop().then(() => process.exit(0), die('process.stop_failed'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A parent that disappears takes its children along: started by `npm start`, the channel to it closes.
  process.on('disconnect', () => {
    stop('disconnect');
  });
}
