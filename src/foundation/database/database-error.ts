/** What a failed database call left behind (F6). */
export type DatabaseFailure = 'rolled-back' | 'unknown' | 'programming-error';

const CONNECTION_LOST = [
  'Connection terminated',
  'Query read timeout',
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'QueryRunnerProviderAlreadyReleased',
  'QueryRunnerAlreadyReleased',
  'Client has encountered a connection error',
  'Client was closed',
];

/** SQLSTATE of a driver error, or undefined when the server never answered. */
export function sqlState(error: unknown): string | undefined {
  return textProperty(error, 'code', /^(?=.*\d)[0-9A-Z]{5}$/);
}

/** Name of the constraint a statement violated, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  return textProperty(error, 'constraint', /./);
}

/**
 * Distinguishes a certain rollback from an unknown outcome. An error without SQLSTATE is *unknown*: the server may have
 * committed before the connection broke, so the caller reads back by key before doing anything else.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  const state = sqlState(error);
  if (state !== undefined) {
    // 08: connection exceptions; 57P: the server was stopped under us. Neither shows whether COMMIT happened.
    if (state.startsWith('08') || state.startsWith('57P')) {
      return 'unknown';
    }
    return /^(42|22|XX)/.test(state) ? 'programming-error' : 'rolled-back';
  }
  const text = error instanceof Error ? `${error.name} ${error.message} ${codeOf(error)}` : String(error);
  return CONNECTION_LOST.some((sign) => text.includes(sign)) ? 'unknown' : 'programming-error';
}

/** True when the database could not be used at all or lost the connection, so the caller should try again later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) {
    // 53: out of resources (disk full, too many connections); 25006: read-only; 40: serialization, deadlock.
    return /^(08|53|57P|40|55P03|25006|57014)/.test(state);
  }
  return classifyDatabaseError(error) === 'unknown';
}

function textProperty(error: unknown, name: string, pattern: RegExp): string | undefined {
  for (const candidate of [error, driverErrorOf(error)]) {
    const value: unknown = candidate instanceof Error ? Reflect.get(candidate, name) : undefined;
    if (typeof value === 'string' && pattern.test(value)) {
      return value;
    }
  }
  return undefined;
}

function driverErrorOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'driverError') : undefined;
}

function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : '';
}
