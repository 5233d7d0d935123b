import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Lets Nest's own messages (routes, start, errors) go through the program's logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  /** Without what stops a start: the program that starts throws it on, and reports it once. */
  error(message: unknown, ...details: readonly unknown[]): void {
    const context = details.at(-1);
    if (context !== 'ExceptionHandler') {
      this.logger.error({ err: message instanceof Error ? message : undefined, context }, String(message));
    }
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
