import { expect, it } from '@jest/globals';
import { ConfigurationError } from '../../foundation/config/load-config.js';
import { loadLedgerConfig } from './ledger-config.js';

const GOOD = { LEDGER_DATABASE_URL: 'postgres://u:p@localhost/db', LEDGER_API_KEY: 'sixteen letters.' };

it('requires the database and the key, and has its own default port', () => {
  const config = loadLedgerConfig(GOOD);
  expect(config).toMatchObject({ port: 3200, databaseUrl: GOOD.LEDGER_DATABASE_URL });
  expect(config.apiKey.reveal()).toBe('sixteen letters.');
});

it('accepts the address of the ledger, which is for its callers', () => {
  expect(loadLedgerConfig({ ...GOOD, LEDGER_URL: 'http://localhost:3200' }).port).toBe(3200);
});

it('reports every problem at once, and no value', () => {
  const wrong = { LEDGER_API_KEY: 'too short', LEDGER_PORT: 'x', LEDGER_PROT: '1' };
  const problems = () => loadLedgerConfig(wrong);
  expect(problems).toThrow(ConfigurationError);
  expect(problems).toThrow(/LEDGER_DATABASE_URL[^]*LEDGER_PROT: unknown variable, did you mean LEDGER_PORT/);
  expect(problems).not.toThrow(/too short/);
});
