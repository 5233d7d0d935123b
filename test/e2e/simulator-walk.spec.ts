import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/foundation/clock/system-clock.js';
import { ChildProgram } from '../../src/sandbox/launch/child-program.js';
import { freePorts, newSecrets } from '../../src/sandbox/launch/launch-settings.js';
import { addressesOf, simulatorProgram } from '../../src/sandbox/launch/programs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let program: ChildProgram;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const ports = await freePorts();
  url = addressesOf(ports).simulator;
  const definition = simulatorProgram(database.url, ports, newSecrets());
  program = new ChildProgram(definition, new SystemClock(), () => undefined);
  await program.start();
});
afterAll(async () => {
  await program.stop();
  await database.drop();
});

it('every line of docs/simulator.md works as written, on the simulator alone', async () => {
  const text = await readFile('docs/simulator.md', 'utf8');
  const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).join('');
  const { code, output } = await bash(`set -eEo pipefail\n${lines}`);
  expect(`${code?.toString() ?? 'killed'}: ${code === 0 ? '' : output}`).toBe('0: ');
  expect(output).toContain('"authMethod":"API_KEY"');
  expect(output).toContain('"refresh_token"');
  expect(output).toContain('"externalId":"JE-1"');
  expect(output).toContain('"event":"completed"');
  expect(output).toContain('whsec_');
  expect(output).toContain('"failureReasonType":"job_expired"');
  expect(output).toMatch(/retry-after: 2/i);
}, 150_000);

/** @returns what it said, with what it said of errors */
async function bash(script: string) {
  const child = spawn('timeout', ['140', 'bash', '-c', script], {
    env: { ...process.env, S: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
