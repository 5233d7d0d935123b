import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../foundation/config/load-config.js';
import { loadConnectorConfig } from './connector-config.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://connector@db/connector',
  PUBLIC_URL: 'https://connector.example/',
  PLATFORM_API_URL: 'https://platform.example',
  PLATFORM_AUTH_URL: 'https://auth.example',
  PLATFORM_CLIENT_ID: 'client',
  PLATFORM_CLIENT_SECRET: 'a secret of sixteen',
  LEDGER_URL: 'http://ledger:3200',
  LEDGER_API_KEY: 'a key of sixteen letters',
  CREDENTIAL_KEYS: `one:${KEY}`,
};

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConnectorConfig(environment);
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.problems : [`another error: ${String(error)}`];
  }
}

describe('the connector’s environment', () => {
  it('in production needs everything that has only a development default', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'DATABASE_URL: is required in production',
      'PUBLIC_URL: is required in production',
      'PLATFORM_API_URL: is required in production',
      'PLATFORM_AUTH_URL: is required in production',
      'PLATFORM_CLIENT_ID: is required in production',
      'PLATFORM_CLIENT_SECRET: is required in production',
      'LEDGER_URL: is required in production',
      'LEDGER_API_KEY: is required in production',
      'CREDENTIAL_KEYS: is required in production',
    ]);
  });

  it('names every problem at once, and never a value', () => {
    const problems = problemsOf({
      ...PRODUCTION,
      PORT: 'three thousand',
      DATABASE_URL: 'mysql://secret@db',
      PLATFORM_CLIENT_SECRET: 'short secret',
      PLATFORM_API_URL: 'http://platform.example',
      CREDENTIAL_KEYS: 'one:c2hvcnQ=',
      LEDGER_APIKEY: 'misspelt',
      LOG_LEVEL: 'loud',
    });
    expect(problems).toEqual([
      'DATABASE_URL: needs a postgres:// address',
      'PORT: needs a port number',
      'PLATFORM_CLIENT_SECRET: needs at least 16 characters',
      'CREDENTIAL_KEYS: key "one" has 5 bytes, needs 32 (openssl rand -base64 32)',
      expect.stringContaining('LOG_LEVEL: '),
      'PLATFORM_API_URL: needs https in production',
      'LEDGER_APIKEY: unknown variable',
    ]);
    expect(problems.join()).not.toMatch(/secret@db|short secret|c2hvcnQ/);
  });

  it('suggests the name that was meant', () => {
    expect(problemsOf({ CREDENTIAL_KEY: 'x' })).toEqual([
      'CREDENTIAL_KEY: unknown variable, did you mean CREDENTIAL_KEYS?',
    ]);
    expect(problemsOf({ PLATFORM_API_ULR: 'x' })).toEqual([
      'PLATFORM_API_ULR: unknown variable, did you mean PLATFORM_API_URL?',
    ]);
  });

  it('keeps secrets out of a printed configuration', () => {
    const config = loadConnectorConfig(PRODUCTION);
    expect(config.platform.clientSecret.reveal()).toBe('a secret of sixteen');
    expect(JSON.stringify(config.platform)).not.toContain('a secret of sixteen');
    expect(String(config.erp.ledgerApiKey)).toBe('[secret]');
  });

  it('has defaults for a developer’s machine', () => {
    const config = loadConnectorConfig({ CREDENTIAL_KEYS: `one:${KEY}` });
    expect(config).toMatchObject({
      port: 3000,
      internalPort: 3001,
      publicUrl: 'http://localhost:3000',
      host: '127.0.0.1',
    });
    expect(config.databaseUrl).toBeUndefined();
  });

  it('is listed in .env.example, variable by variable', () => {
    const listed = readFileSync('.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm) ?? [];
    const known = problemsOf(Object.fromEntries(listed.map((name) => [name, 'x'])));
    expect(known.filter((problem) => problem.includes('unknown variable'))).toEqual([]);
    expect(listed).toEqual(
      expect.arrayContaining([...Object.keys(PRODUCTION), 'PORT', 'INTERNAL_PORT', 'OPERATOR_TOKEN']),
    );
  });
});
