import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { startInternalServer } from '../../../../src/connector/health/internal-server.js';
import { freePort } from '../../../../src/foundation/process/free-port.js';
// The worker's counters, in a process that serves the API.
import '../../../../src/connector/worker.module.js';
import { startConnectorApp } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// Alert rules and dashboards, held against what a running process exposes.

const ALERTS = 'docs/operations/alerts.yml';
const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) })
  .parse(parse(readFileSync(ALERTS, 'utf8')))
  .groups.flatMap((group) => group.rules);
const panels = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(readFileSync('docs/operations/dashboard.json', 'utf8'))).panels;

const connector = startedOnce(startConnectorApp);

/** What a process serves before it has done anything. */
async function servedText(): Promise<string> {
  const { database, clock } = connector.runtime;
  const port = await freePort();
  const server = await startInternalServer({
    title: 'A process',
    host: '127.0.0.1',
    port,
    database,
    clock,
    checks: [],
  });
  const text = await (await fetch(`http://127.0.0.1:${port.toString()}/metrics`)).text();
  await server.close();
  return text;
}

/** Names of samples, with those that a histogram makes of its own. */
async function servedNames(): Promise<ReadonlySet<string>> {
  const text = await servedText();
  expect(text).toMatch(/^connector_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m);
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => `${name}${end}`) : [name],
    ),
  );
}

it('every metric of the alert rules and of the dashboard is served by a process', async () => {
  const served = await servedNames();
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const named = expressions.flatMap((expr) => expr.match(/\b(?:connector|http_client)_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !served.has(name))).toEqual([]);
});

it('every counter of which an alert asks the increase is there before its first event', async () => {
  // Prometheus sees no increase from a sample that was not there: the first event of a process would raise nothing. Other tests of
  // this process may have counted something.
  const text = await servedText();
  const counted = rules.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)(?:\{([^}]*)\})?/g)]);
  expect(counted.length).toBeGreaterThan(4);
  const missing = counted.filter(
    ([, name = '', label = '']) => !text.split('\n').some((line) => line.startsWith(name) && line.includes(label)),
  );
  expect(missing.map(([call]) => call)).toEqual([]);
});

it('every alert leads to a section of the runbook', () => {
  const headings = readFileSync('docs/runbook.md', 'utf8').match(/^#+ .*$/gm) ?? [];
  const anchors = headings.map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'));
  const lost = rules.filter(
    ({ annotations }) => !anchors.some((one) => annotations.runbook === `docs/runbook.md#${one}`),
  );
  expect(lost.map(({ alert }) => alert)).toEqual([]);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

describe('promtool', () => {
  const isThere = spawnSync('promtool', ['--version']).status === 0;
  const judge = isThere || process.env['CI'] !== undefined ? it : it.skip;
  judge.each([
    ['accepts the alert rules', ['check', 'rules', ALERTS]],
    ['raises each alert when it should, and not before', ['test', 'rules', 'docs/operations/alerts.test.yml']],
  ])(`%s${isThere ? '' : ' (skipped: no promtool; Debian has it in prometheus)'}`, (_, words) => {
    const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
    expect([status, status === 0 ? '' : `${stdout}${stderr}`]).toEqual([0, '']);
  });

  it('has an example of each alert', () => {
    const examples = z
      .object({ tests: z.array(z.object({ alert_rule_test: z.array(z.object({ alertname: z.string() })) })) })
      .parse(parse(readFileSync('docs/operations/alerts.test.yml', 'utf8')))
      .tests.flatMap((test) => test.alert_rule_test.map(({ alertname }) => alertname));
    expect(rules.map(({ alert }) => alert).filter((alert) => !examples.includes(alert))).toEqual([]);
  });
});
