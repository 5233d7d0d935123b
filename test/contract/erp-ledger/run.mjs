// npm run erp-contract [-- path]: the contract of an ERP adapter, against the ledger's at every level, or against the one
// whose harness module the path names (docs/erp-adapters.md).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import jestConfig from '../../../jest.config.js';

const root = resolve(import.meta.dirname, '../../..');
const [given] = process.argv.slice(2);
const harness = given === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), given);
if (harness !== undefined && !existsSync(harness)) {
  console.error(`There is no harness module ${harness}.`);
  process.exit(1);
}
const { projects, ...settings } = jestConfig;
const integration = projects.find(({ displayName }) => displayName === 'integration');
const config = {
  ...settings,
  ...integration,
  rootDir: root,
  testMatch: ['<rootDir>/test/contract/erp-ledger/erp-contract.spec.ts'],
  verbose: true,
  // An own harness brings what it needs: no PostgreSQL is started for it.
  ...(harness === undefined ? {} : { globalSetup: undefined, globalTeardown: undefined }),
};
const jest = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    join(root, 'node_modules/jest/bin/jest.js'),
    `--config=${JSON.stringify(config)}`,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(harness === undefined ? {} : { ERP_CONTRACT_HARNESS: harness }) },
  },
);
process.exit(jest.status ?? 1);
