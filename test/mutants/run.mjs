// `npm run mutants [-- <module>…]`: Stryker changes the pure modules that decide about money, postings and signatures in every small way it
// knows, and runs their pure tests against each change; the first that fails has found it. Prints what survives.
// What a module's last run has found is kept: only what has changed since, in the code or in its tests, is tried again.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { Stryker } from '@stryker-mutator/core';
import { commandLineOrExit, endOverUsage } from '../../src/foundation/config/command-line.ts';

const DOMAIN = 'src/connector/exports/domain';
const BOOKKEEPING = 'src/connector/bookkeeping';
const files = (folder, ...names) => names.map((name) => `${folder}/${name}.ts`);
const PLANNING = files(BOOKKEEPING, '**/*.spec');
/** What is changed, and the tests that have to find it. */
const MODULES = {
  money: { mutate: files('src/kernel', 'money', 'currency', 'decimal'), tests: files('src/kernel', '*.spec') },
  accounts: { mutate: files(BOOKKEEPING, 'accounts/*'), tests: PLANNING },
  amounts: { mutate: files(`${BOOKKEEPING}/entries`, 'amounts', 'divide-lines'), tests: PLANNING },
  shapes: {
    mutate: files(`${BOOKKEEPING}/entries`, 'entry-shapes', 'entry-forms', 'balanced-entry'),
    tests: PLANNING,
  },
  lines: {
    mutate: files(`${BOOKKEEPING}/entries`, 'plan-lines', 'write-entry', 'invoice-checks', 'erp-limits'),
    tests: PLANNING,
  },
  items: { mutate: files(BOOKKEEPING, 'item/*'), tests: PLANNING },
  tax: { mutate: files(BOOKKEEPING, 'tax/*'), tests: PLANNING },
  rounds: { mutate: files(DOMAIN, 'posting-rounds'), tests: files(DOMAIN, 'posting-rounds.spec') },
  doubt: {
    mutate: files(DOMAIN, 'unknown-outcome', 'look-up-finding'),
    tests: files(DOMAIN, 'unknown-outcome.spec'),
  },
  states: {
    mutate: files(DOMAIN, 'intent-states', 'state-transitions'),
    tests: files(DOMAIN, 'decisions.spec'),
  },
  verdict: {
    mutate: files(DOMAIN, 'verdict'),
    tests: files(DOMAIN, 'decisions.spec', 'shorten-reason.spec'),
  },
  deadline: {
    mutate: files(DOMAIN, 'deadline', 'lanes'),
    tests: files(DOMAIN, 'deadline.spec', 'decisions.spec', 'lanes.spec'),
  },
  plans: { mutate: files(DOMAIN, 'plans/*', 'describe-failure'), tests: files(DOMAIN, '**/*.spec') },
  signature: {
    mutate: [
      ...files('src/connector/webhooks/domain', 'verify-signature'),
      ...files('src/connector/installations/subscription', 'signing-key'),
    ],
    tests: files('src/connector/webhooks/domain', '*.spec'),
  },
  lease: { mutate: files('src/connector/runs', 'lease'), tests: files('src/connector/runs', '*.spec') },
};
/** `Timeout`: the tests did not end, which an endless loop does, and a busy machine; these are printed, to be judged. */
const FOUND = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);

const USAGE = `usage: npm run mutants -- [module …]: is every small change of these modules found by their tests?
  --list    the modules
  --again   from the beginning, not from what is kept of the last run`;
const yes = { type: 'boolean' };
const { values, positionals } = commandLineOrExit(USAGE, { list: yes, again: yes }, Infinity);
const unknown = positionals.filter((name) => !Object.hasOwn(MODULES, name));
const all = Object.keys(MODULES).join('\n');
if (unknown.length > 0) endOverUsage(`no module ${unknown.join(', ')}; there are:\n${all}`, USAGE);
if (values.list === true) {
  console.log(all);
  process.exit();
}
const rows = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(MODULES)) {
  rows.push(await tryModule(name));
}
console.log(['| module | mutants | found | score |', '|---|---|---|---|', ...rows].join('\n'));
// A test process that is being replaced would hold this one open.
process.exit();

/** @returns its row of the table */
async function tryModule(name) {
  const folder = `.data/mutants/${name}`;
  const known = `${folder}/known.json`;
  mkdirSync(folder, { recursive: true });
  forgetUnsure(known);
  const { mutate, tests } = MODULES[name];
  process.env.MUTANTS_TESTS = JSON.stringify(tests);
  const copies = mkdtempSync(join(tmpdir(), 'mutants-'));
  const mutants = await new Stryker({
    mutate: [...mutate, '!src/**/*.spec.ts', '!src/**/*.fixtures.ts'],
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    jest: {
      projectType: 'custom',
      configFile: 'test/mutants/jest.config.mjs',
      // The one file imports what it finds.
      enableFindRelatedTests: false,
    },
    testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
    coverageAnalysis: 'perTest',
    // A change of what is evaluated once, when a module is loaded, is tried like any other.
    ignoreStatic: false,
    concurrency: 1,
    // A busy machine must not look like a test that hangs.
    timeoutMS: 60_000,
    ignorePatterns: ['.data', 'build', 'dist', 'docs', 'web', 'bench'],
    tempDirName: copies,
    cleanTempDir: 'always',
    incremental: true,
    force: values.again === true,
    incrementalFile: known,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `${folder}/report.json` },
    allowConsoleColors: false,
    logLevel: 'info',
  }).runMutationTest();
  rmSync(copies, { recursive: true, force: true });
  const found = mutants.filter(({ status }) => FOUND.has(status)).length;
  const missed = mutants.filter(({ status }) => MISSED.has(status));
  const survivors = mutants.filter(({ status }) => MISSED.has(status) || status === 'Timeout');
  for (const { status, fileName, location, mutatorName, replacement } of survivors) {
    const { line, column } = location.start;
    const place = `${relative('.', fileName)}:${line.toString()}:${column.toString()}`;
    console.log(`${status.padEnd(10)}  ${place}  ${mutatorName}  ${replacement.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
  }
  const all = found + missed.length;
  return `| ${name} | ${all.toString()} | ${found.toString()} | ${((100 * found) / all).toFixed(1)} % |`;
}

/** What did not end in its time may have been slow, and what survived may be found by a test of now: both are tried again. */
function forgetUnsure(known) {
  if (!existsSync(known)) return;
  const report = JSON.parse(readFileSync(known, 'utf8'));
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(({ status }) => FOUND.has(status) && status !== 'Timeout');
  }
  writeFileSync(known, JSON.stringify(report));
}
