// `npm run crash`: the crash tests, or with options the harness of boundaries.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { HTTP_FAULTS } from './boundaries/faults.ts';
import { commandLineOrExit, endOverUsage } from '../../src/foundation/config/command-line.ts';

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
const USAGE = `usage: npm run crash             the crash tests
       npm run crash -- --all    every fault at every boundary of every scenario, on from where the last run has ended
  --scenario one,five   these alone, of: ${SCENARIOS.join(', ')}
  --only <part of id>   these rounds alone, whatever was done before
  --part 1/8            a share of them
  --minutes 10          for each scenario
  --faults reset-after  these alone, at each boundary
  --again               from the beginning
The world they take place in, with results of its own:
  --erp none            what the ERP promises: expiring-key, searchable-reference or none in place of permanent-key
  --programs 2x3        two API processes, three workers
  --clock worker:-2     the clock of the first api, worker, simulator or ledger is wrong by so many hours`;
const text = { type: 'string' };
const yes = { type: 'boolean' };
const { values } = commandLineOrExit(USAGE, {
  ...{ all: yes, again: yes, scenario: text, only: text, part: text, minutes: text, faults: text },
  ...{ erp: text, programs: text, clock: text },
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
  const scenarios = listed('scenario', SCENARIOS) ?? SCENARIOS;
  const faults = listed('faults', HTTP_FAULTS);
  const part = required('part', /^([1-9]\d*)\/([1-9]\d*)$/, '1/1')
    .slice(1)
    .map(Number);
  if (part[0] > part[1]) {
    endOverUsage(`--part ${values.part}: there is no such part`, USAGE);
  }
  const minutes = Number(required('minutes', /^\d+(?:\.\d+)?$/, '600')[0]);
  const world = given.map((name) => `${values[name].replace(':', '')}-`).join('');
  const results = `.data/crash/${world}part-${part.join('-of-')}.jsonl`;
  if (values.again === true) {
    rmSync(results, { force: true });
  }
  environment.BOUNDARY_RUN = JSON.stringify({
    scenarios,
    part,
    minutes,
    results,
    only: values.only,
    faults,
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
    endOverUsage(`--${name} ${values[name]}: has not the form shown below`, USAGE);
  }
  return found;
}

/** @returns the names given, separated by commas; undefined when none are */
function listed(name, known) {
  const names = values[name]?.split(',');
  const unknown = names?.find((one) => !known.includes(one));
  if (unknown !== undefined) {
    endOverUsage(`--${name} ${unknown}: there are ${known.join(', ')}`, USAGE);
  }
  return names;
}
