// `npm test [-- --fast] [-- options of jest]`: every test, or those that tell in three minutes; the slowest ten files at the end.
// The files with a database run on two processes at the same time (`maxWorkers`), the programs one after the other: each of these
// files keeps two cores busy by itself, so shards would help only on several machines: `npm test -- --shard=1/3`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';

/** One file of each kind of promise: intake, an export, its retries, tenants, the books, the simulator. */
const FAST = [
  'connector/webhooks/webhook-intake',
  'connector/exports/run-export-job',
  'connector/exports/in-doubt-postings',
  'connector/exports/company-lease',
  'connector/isolation/tenant-catalog',
  'connector/operations/metrics',
  'ledger/posting-groups',
  'ledger/append-only-books',
  'simulator/export-jobs',
];
const CACHE = 'node_modules/.cache';

const options = process.argv.slice(2).filter((option) => option !== '--fast');
const runs = process.argv.includes('--fast')
  ? [['pure'], ['integration', '--testPathPatterns', ...FAST.map((name) => `test/integration/${name}.spec`)]]
  : [
      ['pure', 'integration'],
      ['e2e', '--runInBand'],
    ];
const files = [];
let status = 0;
mkdirSync(CACHE, { recursive: true });
for (const [index, projects] of runs.entries()) {
  const output = `${CACHE}/test-results-${index.toString()}.json`;
  rmSync(output, { force: true });
  const jest = spawnSync(
    process.execPath,
    [
      ...[
        '--experimental-vm-modules',
        '--no-warnings',
        'node_modules/jest/bin/jest.js',
        '--json',
        `--outputFile=${output}`,
      ],
      ...['--selectProjects', ...projects, ...options],
    ],
    { stdio: ['inherit', 'ignore', 'inherit'] },
  );
  status = jest.status ?? 1;
  const { testResults = [] } = read(output);
  files.push(...testResults.map(({ name, startTime, endTime }) => [relative('.', name), endTime - startTime]));
  if (status !== 0) {
    break;
  }
}
console.log('Slowest files');
for (const [name, milliseconds] of files.toSorted(([, one], [, other]) => other - one).slice(0, 10)) {
  console.log(`${(milliseconds / 1_000).toFixed(1).padStart(8)} s  ${name}`);
}
process.exit(status);

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
