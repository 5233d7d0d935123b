import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';

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

async function startOnce(...more: readonly string[]) {
  const child = spawn(process.execPath, ['dist/launch/start.js', '--once', '--json', ...more], {
    env: { ...process.env, DATABASE_URL: process.env['TEST_DATABASE_URL'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, output, errors };
}
