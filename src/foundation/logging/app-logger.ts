import type { Logger } from './logger.js';

/** The program's logger as a provider, since an interface cannot be injected. */
export class AppLogger {
  constructor(private readonly logger: Logger) {}

  /** A logger whose lines name a part of the program. */
  of(part: string): Logger {
    return this.logger.child({ part });
  }
}
