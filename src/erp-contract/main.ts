#!/usr/bin/env node
// erp-contract <harness module> [--only <text>] [--certify] [--json]: checks an ERP adapter (docs/erp-adapters.md).
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandLineOrExit, endOverUsage } from '../foundation/config/command-line.js';
import { checkHarness, type AdapterReport } from './adapter-report.js';
import type { HarnessModule } from './harness.js';

const USAGE = `erp-contract <harness module> [--only <text>] [--certify] [--json]
  --only <text>  only the clauses whose title has this text
  --certify      all clauses, and the demo books compared account by account
  --json         the result as JSON on standard output`;

const LEAST_NODE = 24;
const SIGNS = { holds: '✓', fails: '✗', skipped: '–' };

// Of a reader's own installation: what this repository starts has its own Node.
if (Number.parseInt(process.versions.node) < LEAST_NODE) {
  refuse(`erp-contract needs Node ${LEAST_NODE.toString()} or newer; this is Node ${process.versions.node}`);
}
const { values, positionals } = commandLineOrExit(
  USAGE,
  { only: { type: 'string' }, certify: { type: 'boolean' }, json: { type: 'boolean' } },
  1,
);
const [path] = positionals;
if (path === undefined) endOverUsage('which harness module?', USAGE);
if (values.certify === true && values.only !== undefined) {
  endOverUsage('--certify checks all clauses: leave --only out', USAGE);
}
const { harnesses = [] } = await load(path);
if (harnesses.length === 0) {
  refuse(`${path} exports no "harnesses"`);
}
const reports: AdapterReport[] = [];
for (const harness of harnesses) {
  console.error(`\n${harness.name}`);
  const report = await checkHarness(harness, {
    only: values.only,
    certify: values.certify === true,
    report({ title, result, reasons }) {
      console.error([`${SIGNS[result]} ${title}`, ...reasons.map((reason) => `    ${reason}`)].join('\n'));
    },
  });
  reports.push(report);
}
const failed = reports.flatMap(({ clauses }) => clauses).filter(({ result }) => result === 'fails').length;
const held = reports.flatMap(({ clauses }) => clauses).filter(({ result }) => result === 'holds').length;
console.error(`\n${held.toString()} clauses hold, ${failed.toString()} fail`);
if (values.only !== undefined && reports.every(({ clauses }) => clauses.length === 0)) {
  console.error(`no clause has the text "${values.only}" in its title`);
}
if (values.json === true) {
  console.log(JSON.stringify({ reports }, undefined, 2));
}
// A harness may leave something open; the result is known nevertheless.
process.exit(reports.every(({ result }) => result === 'passed') && held > 0 ? 0 : 1);

async function load(file: string): Promise<Partial<HarnessModule>> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Partial<HarnessModule>;
  } catch (error) {
    return refuse(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
