// `npm run crash`: the crash tests. With options the harness of boundaries: `npm run crash -- --all`, and
//   --scenario one,five   these alone        --only <part of an id>   these rounds alone, whatever was done before
//   --part 1/8            a share of them    --minutes 10             for each scenario
//   --faults reset-after  these alone: each boundary once
//   --again               from the beginning, not on from where the last run has ended
// and the world they take place in, with results of its own:
//   --erp none            what the ERP promises: expiring-key, searchable-reference or none in place of permanent-key
//   --programs 2x3        two API processes, three workers
//   --clock worker:-2     the clock of the first process of that kind, of the simulator or of the ledger is wrong by so many hours
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
  'keys',
  'uninstall',
  'connect',
  'five',
  'sixty',
  'parts',
];
const text = { type: 'string' };
const yes = { type: 'boolean' };
const { values } = parseArgs({
  options: {
    ...{ all: yes, again: yes, scenario: text, only: text, part: text, minutes: text, faults: text },
    ...{ erp: text, programs: text, clock: text },
  },
});
const [, apis, workers] = required('programs', /^([1-9])x([1-9])$/, '1x1');
const [erp] = required('erp', /^(permanent-key|expiring-key|searchable-reference|none)$/, 'permanent-key');
const [, program, hours] = required('clock', /^(api|worker|simulator|ledger):([+-]?\d+(?:\.\d+)?)$/, 'worker:0');
const variant = {
  erp,
  apis: Number(apis),
  workers: Number(workers),
  ...(values.clock === undefined ? {} : { clock: { program, hours: Number(hours) } }),
};
const given = ['erp', 'programs', 'clock'].filter((name) => values[name] !== undefined);
const isHarness = Object.keys(values).length > 0;
const environment = { ...process.env };
if (isHarness) {
  const part = (values.part ?? '1/1').split('/').map(Number);
  const world = given.map((name) => `${values[name].replace(':', '')}-`).join('');
  const results = `.data/crash/${world}part-${part.join('-of-')}.jsonl`;
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
    variant,
    repeat: given.map((name) => ` --${name} ${values[name]}`).join(''),
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

function required(name, form, usual) {
  const found = form.exec(values[name] ?? usual);
  if (found === null) {
    process.stderr.write(`--${name} ${values[name]}: needs the form that test/crash/run.mjs shows\n`);
    process.exit(2);
  }
  return found;
}
