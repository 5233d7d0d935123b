import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Lets Nest's own messages (routes, start, errors) go through the program's logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...details: readonly unknown[]): void {
    this.logger.error(
      { err: message instanceof Error ? message : undefined, context: details.at(-1) },
      String(message),
    );
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}
