// `npm run crash`: the crash tests. With options the harness of boundaries: `npm run crash -- --all`, and
//   --scenario one,five   these alone        --only <part of an id>   these rounds alone, whatever was done before
//   --part 1/8            a share of them    --minutes 10             for each scenario
//   --faults reset-after  these alone: each boundary once
//   --again               from the beginning, not on from where the last run has ended
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

const SCENARIOS = [
  'one',
  'again',
  'changed',
  'refresh',
  'reference',
  'reconcile',
  'rotation',
  'uninstall',
  'connect',
  'five',
  'sixty',
];
const text = { type: 'string' };
const yes = { type: 'boolean' };
const { values } = parseArgs({
  options: { all: yes, again: yes, scenario: text, only: text, part: text, minutes: text, faults: text },
});
const isHarness = Object.keys(values).length > 0;
const environment = { ...process.env };
if (isHarness) {
  const part = (values.part ?? '1/1').split('/').map(Number);
  const results = `.data/crash/part-${part.join('-of-')}.jsonl`;
  if (values.again === true) {
    rmSync(results, { force: true });
  }
  const scenarios = values.scenario?.split(',') ?? SCENARIOS;
  const minutes = Number(values.minutes ?? '600');
  environment.BOUNDARY_RUN = JSON.stringify({
    scenarios,
    part,
    minutes,
    results,
    only: values.only,
    faults: values.faults?.split(','),
  });
}
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const specs = isHarness ? 'test/crash/boundaries' : 'test/crash';
const { status } = spawnSync(
  process.execPath,
  [...jest, '--selectProjects=e2e', '--runInBand', `--testPathPatterns=${specs}`],
  { stdio: 'inherit', env: environment },
);
process.exit(status ?? 1);
