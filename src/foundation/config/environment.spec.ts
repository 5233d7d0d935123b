import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readEnvironment } from './environment.js';

const folder = () => mkdtempSync(join(tmpdir(), 'environment-'));

it('reads from .env what the environment does not set, and ignores empty variables', () => {
  const withFile = folder();
  writeFileSync(join(withFile, '.env'), '# a comment\nPORT=1\nHOST="0.0.0.0"\nLOG_LEVEL=debug\n');
  const environment = readEnvironment({ PORT: '2', LOG_LEVEL: '' }, withFile);
  expect(environment).toEqual({ PORT: '2', HOST: '0.0.0.0' });
});

it('works without a file', () => {
  expect(readEnvironment({ PORT: '2' }, folder())).toEqual({ PORT: '2' });
});

it('does not start when a file exists that cannot be read', () => {
  const unreadable = folder();
  mkdirSync(join(unreadable, '.env'));
  expect(() => readEnvironment({}, unreadable)).toThrow('.env: cannot be read (EISDIR)');
});
