import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { z } from 'zod';
import { traceFields } from '../tracing/tracing.js';

export type Logger = PinoLogger;

/** Environment of the log; part of every program's configuration. */
export const loggingVariables = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty']).optional(),
};

export interface LoggingConfig {
  readonly LOG_LEVEL: z.output<typeof loggingVariables.LOG_LEVEL>;
  readonly LOG_FORMAT?: 'json' | 'pretty' | undefined;
}

/**
 * Fields that may hold a secret or personal text. The rule is an allow-list of what is logged; this is the second
 * line, for an object that got in whole. One level of nesting is covered, as deep as any of our log lines goes.
 */
const SENSITIVE = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'secretKey',
  'token',
  'accessToken',
  'refreshToken',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'apiKey',
  'note',
  'receipt',
  'body',
];

const REDACTED_PATHS = SENSITIVE.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/**
 * The program's logger: one JSON object a line on standard error (standard output belongs to results).
 * @param program its name, on every line
 * @param config level and format; without a format it is pretty on a terminal and JSON elsewhere
 * @param destination of JSON lines
 */
export function createLogger(
  program: string,
  config: LoggingConfig,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  const pretty = (config.LOG_FORMAT ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty';
  const options = {
    name: program,
    level: config.LOG_LEVEL,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    mixin: traceFields,
    serializers: { err: errorFields, error: errorFields },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pretty
    ? pino({
        ...options,
        formatters: {},
        transport: { target: 'pino-pretty', options: { destination: 2, ignore: 'pid,hostname' } },
      })
    : pino(options, destination);
}

/** Name, message, stack and cause only: errors of HTTP and database libraries carry requests with credentials. */
function errorFields(error: unknown): unknown {
  // By its kind, not its class: an error of Node itself may come from another realm.
  if (!Error.isError(error)) {
    return { message: 'a value that is not an Error was thrown' };
  }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(Error.isError(error.cause) ? { cause: errorFields(error.cause) } : {}),
  };
}
