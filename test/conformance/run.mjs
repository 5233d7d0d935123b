// npm run conformance -- --url https://… --token … [--write] [--entries id,id] [--control]
// Judges a platform by the documented facts. Without --write it changes nothing; --entries names accounting entries that
// wait, with which it makes export jobs; --control says that the platform is a simulator, in which it makes companies of its
// own and moves the clock. The token may also stand in CONFORMANCE_TOKEN, out of the process list.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import jestConfig from '../../jest.config.js';

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    write: { type: 'boolean', default: false },
    entries: { type: 'string', default: '' },
    control: { type: 'boolean', default: false },
  },
});
const token = values.token ?? process.env.CONFORMANCE_TOKEN;
if (values.url === undefined || token === undefined) {
  console.error(
    'Usage: npm run conformance -- --url https://… --token … [--write] [--entries id,id] [--control]',
  );
  process.exit(2);
}
const { projects, ...settings } = jestConfig;
const integration = projects.find(({ displayName }) => displayName === 'integration');
const config = {
  ...settings,
  ...integration,
  displayName: 'conformance',
  rootDir: root,
  testMatch: ['<rootDir>/test/conformance/conformance.spec.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  verbose: true,
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
    env: {
      ...process.env,
      CONFORMANCE_URL: values.url.replace(/\/+$/, ''),
      CONFORMANCE_TOKEN: token,
      CONFORMANCE_WRITE: String(values.write),
      CONFORMANCE_ENTRIES: values.entries,
      CONFORMANCE_CONTROL: String(values.control),
    },
  },
);
process.exit(jest.status ?? 1);
