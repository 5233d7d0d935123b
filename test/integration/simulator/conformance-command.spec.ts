// The command that judges any platform, as a process: what it judges, prints and ends with.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { freePort } from '../../../src/foundation/process/free-port.js';
import { CONFORMANCE_ROWS } from '../../conformance/conformance-rows.js';
import type { RowNeed } from '../../conformance/conformance-row.js';
import { CLIENT_ID, CLIENT_SECRET, exportItem, REDIRECT_URI, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const COMMAND = resolve(import.meta.dirname, '../../conformance/run.mjs');
/** All rows, one after the other, on a machine that does other things as well. */
const MAX_MS_LENGTH = 600_000;
const ROWS = CONFORMANCE_ROWS.flatMap(([, rows]) => rows);

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let narrowToken: string;
let companyId: string;
let entryIds: readonly string[];

beforeAll(async () => {
  companyId = await simulator.addCompany({ multiCurrency: true });
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  const narrow = await simulator.control('POST', '/api-keys', { companyId, scopes: ['accounts:read'] });
  narrowToken = textAt(narrow, 'apiKey');
  entryIds = await simulator.addItems(companyId, [exportItem(-100), exportItem(-200)]);
  await simulator.control('PUT', '/settings', { mostActiveTagGroups: 100 });
});
afterEach(() => simulator.control('PUT', '/failures', []));

/**
 * Runs the command to its end.
 * @param answer what is typed when it asks for the address one comes back to, by the address it shows
 * @returns its exit code, the rows it prints by mark, and what it says of those left out
 */
async function judge(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  answer?: (address: string) => Promise<string>,
) {
  const env = { ...process.env, CONFORMANCE_TOKEN: token, NO_COLOR: '1', ...environment };
  const command = spawn(process.execPath, [COMMAND, ...flags], { env, stdio: 'pipe' });
  const pieces: string[] = [];
  command.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece.toString());
    const address = /https?:\S+\/oauth\/authorize\S+/.exec(piece.toString())?.[0];
    if (address !== undefined && answer !== undefined) {
      void answer(address).then((typed) => command.stdin.end(`${typed}\n`));
    }
  });
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
  const refusals = lines.filter((line) => line.includes('refused the token'));
  const summary = lines.filter((line) => / rows judged, |^ {2}\d+ with /.test(line)).map((line) => line.trim());
  return { exitCode, green: marked('✓').length, red: marked('✕'), left: marked('○').length, summary, refusals };
}

const everything = () => [
  ...['--url', simulator.url, '--control', '--write', '--entries', entryIds.join(',')],
  ...['--narrow-token', narrowToken],
];
/** The rows of these kinds, without those that the narrow token has the scope for. */
const rowsFor = (...kinds: readonly RowNeed[]) =>
  ROWS.filter(({ needs, notWith = [] }) => kinds.includes(needs) && !notWith.includes('accounts:read')).length;
const NOT_WITH = ROWS.filter(({ notWith = [] }) => notWith.includes('accounts:read')).length;

describe('npm run conformance', () => {
  it(
    'prints every row as passed, and exits with 0',
    async () => {
      const left = NOT_WITH;
      const green = ROWS.length - left;
      const sum = `${green} of ${ROWS.length} rows judged, ${left} skipped`;
      const summary = [sum, `${left} with --narrow-token with fewer scopes`];
      expect(await judge(everything())).toEqual({ exitCode: 0, green, red: [], left, summary, refusals: [] });
    },
    MAX_MS_LENGTH,
  );

  it(
    'names the one row that a fault fails, and exits with 1',
    async () => {
      const path = '/v0/tax-codes:calculate-tax-amounts';
      await simulator.control('PUT', '/failures', [{ path, answer: 'malformed' }]);
      const green = ROWS.filter(({ fact }) => fact.includes('tax')).length - 4;
      expect(await judge([...everything(), '--only', 'tax'])).toMatchObject({
        exitCode: 1,
        green,
        red: [
          'tax is calculated in the smallest unit of the currency [P5, calculate]',
          ...['gross', 'net', 'tax'].map((part) => `calculated tax is returned with ${part} [P5]`),
        ],
      });
    },
    MAX_MS_LENGTH,
  );

  it.each([
    ['http://127.0.0.1:19999', 'http://127.0.0.1:19999 cannot be reached (ECONNREFUSED)'],
    ['localhost:3100', '--url: localhost:3100 is no http address'],
  ])('reports an unreachable platform instead of failed rows: %s', (url, sentence) => {
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, '--url', url, '--token', 'x'], {
      encoding: 'utf8',
    });
    expect([status, stderr.trim()]).toEqual([2, sentence]);
  });

  it('reports a refused token', async () => {
    const { exitCode, red, refusals } = await judge(['--url', simulator.url], { CONFORMANCE_TOKEN: 'none' });
    expect([exitCode, red, refusals]).toEqual([2, [], [`${simulator.url} refused the token (401)`]]);
  });

  it('skips what it was not allowed, and names the permission for it', async () => {
    const green = rowsFor('read');
    const { summary, refusals, ...sum } = await judge(['--url', simulator.url]);
    expect(refusals).toEqual([]);
    const left = ROWS.length - green;
    expect(sum).toEqual({ exitCode: 0, green, red: [], left });
    const unlocking = [
      ['write', '--write'],
      ['export', '--entries'],
      ['sandbox', '--control'],
      ['client', '--client'],
      ['grant', '--authorize or --refresh-token'],
      ['webhook', '--webhook-listen with --entries'],
      ['narrow', '--narrow-token'],
    ] as const;
    const counts = unlocking.map(
      ([kind, option]) => `${ROWS.filter(({ needs }) => needs === kind).length} with ${option}`,
    );
    expect(summary.toSorted()).toEqual(
      [`${green} of ${ROWS.length} rows judged, ${left} skipped`, ...counts].toSorted(),
    );
  });

  it(
    'checks what a person provides at a real platform: an application, an approval, a narrow token, a receiver',
    async () => {
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port.toString()}/hook`;
      const flags = [
        ...['--url', simulator.url, '--write', '--entries', entryIds.join(',')],
        ...['--auth-url', simulator.url, '--client', CLIENT_ID, '--redirect', REDIRECT_URI, '--authorize'],
        ...['--webhook-listen', port.toString(), '--public-url', publicUrl],
      ];
      const secrets = { CONFORMANCE_SECRET: CLIENT_SECRET, CONFORMANCE_NARROW_TOKEN: narrowToken };
      const approve = async (address: string) =>
        `${REDIRECT_URI}?${(await simulator.approve(address, companyId)).toString()}`;
      const kinds = ['read', 'write', 'export', 'client', 'grant', 'narrow', 'webhook'] as const;
      expect(await judge(flags, secrets, approve)).toMatchObject({
        exitCode: 0,
        green: rowsFor(...kinds),
        red: [],
        left: ROWS.length - rowsFor(...kinds),
      });
    },
    MAX_MS_LENGTH,
  );

  it('prints its usage without an address, and exits with 2', async () => {
    expect(await judge([])).toMatchObject({ exitCode: 2, green: 0, red: [] });
  });
});
