// `npm run planted`: is each planted bug (`bugs.json`) found by the test that is named for it? One after the other is written into a copy
// of the tree, built, and the named tests are run: those that stay green have missed it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { commandLineOrExit, endOverUsage } from '../../src/foundation/config/command-line.ts';

const RESULTS = '.data/planted/results.jsonl';
/** Of one bug. Tests that hang fail by themselves before; on a machine that is too slow for them nothing was found. */
const MAX_MS = 600_000;

const USAGE = `usage: npm run planted -- [options]: is each planted bug found by the test that is named for it?
  --only <part of a name>   these alone
  --part 1/2                a share of them
  --again                   from the beginning, not on from where the last run has ended`;
const { values } = commandLineOrExit(USAGE, {
  only: { type: 'string' },
  part: { type: 'string' },
  again: { type: 'boolean' },
});
const [part, parts] = (values.part ?? '1/1').split('/').map(Number);
if (!(part >= 1 && part <= parts)) {
  endOverUsage(`--part ${values.part}: there is no such part`, USAGE);
}
const bugs = JSON.parse(readFileSync('test/planted/bugs.json', 'utf8'))
  .filter((_, index) => index % parts === part - 1)
  .filter(({ name }) => name.includes(values.only ?? ''));
if (bugs.length === 0) {
  endOverUsage(`--only ${values.only}: no planted bug has this in its name`, USAGE);
}
if (values.again === true) {
  rmSync(RESULTS, { force: true });
}
mkdirSync(dirname(RESULTS), { recursive: true });
const known = new Map(earlierResults().map((result) => [result.name, result]));

const copy = copyOfTree();
try {
  for (const bug of bugs) {
    if (known.has(bug.name) && values.only === undefined) continue;
    const result = tryOut(bug);
    known.set(bug.name, result);
    appendFileSync(RESULTS, `${JSON.stringify(result)}\n`);
    console.log(
      `${result.foundBy === undefined ? 'MISSED' : 'found '}  ${bug.name}  ${result.foundBy ?? `by ${bug.tests}`}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const results = bugs.flatMap(({ name }) => known.get(name) ?? []);
console.log(`\n| bug | found by | tests that failed |\n|---|---|---|`);
for (const { name, foundBy, tests } of results) {
  console.log(`| ${name} | ${foundBy ?? '**nothing**'} | ${tests} |`);
}
const missed = results.filter(({ foundBy }) => foundBy === undefined);
console.log(`\n${results.length - missed.length} of ${results.length} planted bugs were found.`);
process.exit(missed.length === 0 ? 0 : 1);

function earlierResults() {
  if (!existsSync(RESULTS)) return [];
  return readFileSync(RESULTS, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function copyOfTree() {
  const tree = mkdtempSync(join(tmpdir(), 'planted-'));
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(existsSync);
  for (const file of files) cpSync(file, join(tree, file));
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** @returns which test found it first, undefined for none, and how many of the tests that ran failed */
function tryOut({ name, file, was, becomes, tests }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(was, () => becomes),
  );
  try {
    const options = { cwd: copy, encoding: 'utf8', timeout: MAX_MS, killSignal: 'SIGKILL' };
    execFileSync(process.execPath, ['.tools/build.mjs'], options);
    const report = join(copy, 'report.json');
    rmSync(report, { force: true });
    const { signal, stderr } = spawnSync(
      process.execPath,
      [
        ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--json'],
        ...[`--outputFile=${report}`, '--selectProjects', 'pure', 'integration', `--testPathPatterns=${tests}`],
      ],
      options,
    );
    if (signal !== null)
      throw new Error(`the tests of "${name}" did not end in ${(MAX_MS / 60_000).toString()} minutes`);
    if (!existsSync(report)) throw new Error(`the tests of "${name}" do not run: ${stderr.slice(-2_000)}`);
    return { name, ...foundIn(name, JSON.parse(readFileSync(report, 'utf8'))) };
  } finally {
    writeFileSync(path, text);
  }
}

function foundIn(name, { testResults, numTotalTests, numFailedTests, numRuntimeErrorTestSuites }) {
  if (numTotalTests === 0 || (numFailedTests === 0 && numRuntimeErrorTestSuites > 0)) {
    const why = testResults.map(({ message }) => message).join('\n');
    throw new Error(`no test of "${name}" has run: ${why.slice(0, 2_000)}`);
  }
  const [first] = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${file.slice(copy.length + 1)}: ${fullName}`),
  );
  return { foundBy: first, tests: `${numFailedTests} of ${numTotalTests}` };
}
