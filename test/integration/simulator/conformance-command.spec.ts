// The command that anybody can point at a platform, as a process: what it judges, prints and ends with.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { CONFORMANCE_ROWS } from '../../conformance/conformance-rows.js';
import { exportItem, SimulatorHarness, textAt } from './simulator-harness.js';

const COMMAND = resolve(import.meta.dirname, '../../conformance/run.mjs');
/** All rows, one after the other, on a machine that does other things as well. */
const LONGEST_MS = 600_000;
const ROWS = CONFORMANCE_ROWS.flatMap(([, rows]) => rows);

let simulator: SimulatorHarness;
let token: string;
let entryIds: readonly string[];

beforeAll(async () => {
  simulator = await SimulatorHarness.start();
  const companyId = await simulator.addCompany({ multiCurrency: true });
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  entryIds = await simulator.addItems(companyId, [exportItem(-100), exportItem(-200)]);
  await simulator.control('PUT', '/settings', { mostActiveTagGroups: 100 });
});
afterAll(() => simulator.stop());

/** Runs the command to its end. @returns its exit code, the rows it prints by mark, and its sum */
async function judge(...flags: readonly string[]) {
  const env = { ...process.env, CONFORMANCE_TOKEN: token, NO_COLOR: '1' };
  const command = spawn(process.execPath, [COMMAND, ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces: string[] = [];
  command.stdout.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  command.stderr.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  const [exitCode] = (await once(command, 'close')) as [number | null];
  const lines = pieces.join('').split('\n');
  const marked = (mark: string) =>
    lines
      .filter((line) => line.trimStart().startsWith(`${mark} `))
      .map((line) =>
        line
          .trim()
          .slice(2)
          .replace(/ \(\d+ m?s\)$/, ''),
      );
  return { exitCode, green: marked('✓').length, red: marked('✕'), left: marked('○').length };
}

const everything = () => ['--url', simulator.url, '--control', '--write', '--entries', entryIds.join(',')];

describe('npm run conformance', () => {
  it(
    'prints every row green, and ends with 0',
    async () => {
      expect(await judge(...everything())).toEqual({ exitCode: 0, green: ROWS.length, red: [], left: 0 });
    },
    LONGEST_MS,
  );

  it(
    'names the one row that a fault turns red, and ends with 1',
    async () => {
      const path = '/v0/tax-codes:calculate-tax-amounts';
      await simulator.control('PUT', '/failures', [{ path, answer: 'malformed' }]);
      expect(await judge(...everything())).toEqual({
        exitCode: 1,
        green: ROWS.length - 1,
        red: ['tax is calculated in the smallest unit of the currency [wire-facts §5, calculate]'],
        left: 0,
      });
      await simulator.control('PUT', '/failures', []);
    },
    LONGEST_MS,
  );

  it('leaves out what it was not allowed', async () => {
    const reading = ROWS.filter(({ needs }) => needs === 'read').length;
    expect(await judge('--url', simulator.url)).toMatchObject({
      exitCode: 0,
      green: reading,
      red: [],
      left: ROWS.length - reading,
    });
  });

  it('says how it is called when it is told no address, and ends with 2', async () => {
    expect(await judge()).toMatchObject({ exitCode: 2, green: 0, red: [] });
  });
});
