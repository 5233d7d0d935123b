import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '../../src/foundation/process/free-port.js';

it('npm start -- --once --json ends with 0 and tells of a finished job and balanced books', async () => {
  const { code, output } = await startOnce();
  const lines = output.trimEnd().split('\n');
  const result: unknown = JSON.parse(lines.at(-1) ?? '');
  expect(code).toBe(0);
  expect(result).toMatchObject({
    exportJob: { status: 'completed_with_errors', numberOfItems: 147, successful: 142, failed: 5 },
    ledger: {
      entries: 155,
      trialBalance: {
        EUR: { debitMinor: '6741332', creditMinor: '6741332' },
        JPY: { debitMinor: '1547599', creditMinor: '1547599' },
        USD: { debitMinor: '617429', creditMinor: '617429' },
      },
      functional: { currency: 'EUR', debitMinor: '8151453', creditMinor: '8151453' },
    },
    seconds: expect.any(Number),
  });
});

it('a wrong option is refused with its name', async () => {
  const { code, errors } = await startOnce('--onec');
  expect(code).toBe(1);
  expect(errors).toContain('--onec');
});

it('a port that something else has is named, with the variable that moves it', async () => {
  const other = createServer().listen(await freePort(), '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, errors } = await start(['--only', 'simulator'], { SIMULATOR_PORT: port.toString() });
  other.close();
  expect(code).toBe(1);
  expect(errors).toContain(`SIMULATOR_PORT: port ${port.toString()} is in use`);
  expect(errors).not.toContain('    at ');
});

const startOnce = (...more: readonly string[]) => start(['--once', '--json', ...more]);

async function start(options: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['dist/sandbox/launch/start.js', ...options], {
    env: { ...process.env, DATABASE_URL: process.env['TEST_DATABASE_URL'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, output, errors };
}
