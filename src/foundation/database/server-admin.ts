import pg from 'pg';
import { ConfigurationError } from '../config/load-config.js';
import { queryTimeouts, TimeoutAwareClient } from './timeout-aware-client.js';

/** A database is made by copying another one, file by file. */
const STATEMENT_MS = 60_000;
const REACHABLE_MS = 10_000;

/**
 * Runs one statement on a connection of its own, for what a pool of the application may not do.
 * @param url address of a user with the right to do it
 * @param limitMs for the answer
 * @throws the driver's error, also when no answer comes in time
 */
export async function administer(
  url: string,
  statement: string,
  limitMs = STATEMENT_MS,
): Promise<readonly Record<string, unknown>[]> {
  const client = new TimeoutAwareClient({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...queryTimeouts(limitMs),
  });
  // A connection that breaks fails the query, which says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * @param variable that holds the address
 * @param limitMs for the answer to a first question
 * @throws ConfigurationError when the server cannot be reached, is silent, or refuses the user
 */
export async function assertReachable(url: string, variable = 'DATABASE_URL', limitMs = REACHABLE_MS): Promise<void> {
  try {
    await administer(url, 'SELECT 1', limitMs);
  } catch (error) {
    throw new ConfigurationError([unusableSentence(url, variable, error)]);
  }
}

/**
 * @param variable that holds the address
 * @param error of the connection
 * @returns what is wrong, with the server's host and without its password
 */
export function unusableSentence(url: string, variable: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // An error that gathers those of several addresses has no words of its own.
  return `${variable}: ${new URL(url).host} cannot be used (${message || (code ?? 'no response')})`;
}

/** @param url any database of the server */
export async function createDatabase(url: string, name: string): Promise<void> {
  await administer(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

/** Drops a database together with the connections to it. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await administer(url, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

/** @param url any database of the server */
export async function hasDatabase(url: string, name: string): Promise<boolean> {
  const rows = await administer(url, `SELECT 1 FROM pg_database WHERE datname = ${pg.escapeLiteral(name)}`);
  return rows.length > 0;
}

/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}
