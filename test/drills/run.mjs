// `npm run drill -- <name>`: an outage that is practiced, with real programs on a real PostgreSQL, or a newcomer's first start. The runbook
// has a line on each.
import { spawnSync } from 'node:child_process';
import { commandLineOrExit, endOverUsage } from '../../src/foundation/config/command-line.ts';

/** Name of the drill, its project, its specs, and what they are given. */
const DRILLS = {
  failover: ['drills', 'test/drills/failover'],
  'point-in-time': ['drills', 'test/drills/point-in-time'],
  pgbouncer: ['drills', 'test/drills/pgbouncer', { TEST_POOLER: 'pgbouncer' }],
  restore: ['drills', 'test/drills/restore'],
  'rolling-upgrade': ['drills', 'test/drills/rolling-upgrade'],
  faults: ['drills', 'test/drills/faults'],
  webhooks: ['drills', 'test/drills/webhook-volume'],
  'reconcile-after-restore': ['integration', 'connector/reconciliation/restored-backup'],
  'lose-queue': ['e2e', 'test/crash/drop-queue'],
  'lose-worker': ['e2e', 'test/crash/kill-worker.spec'],
  'lose-database': ['e2e', 'test/crash/kill-postgres'],
  'silent-database': ['e2e', 'test/crash/silent-database'],
  'rotate-keys': ['integration', 'connector/installations/key-rotation'],
};

/** What a second word says to those drills that take one: how it looks, and the variable that has it. */
const DETAILS = {
  'rolling-upgrade': { form: /^[^-]/, variable: 'UPGRADE_FROM' },
  faults: { form: /^\d+(\.\d+)?$/, variable: 'DRILL_MINUTES' },
  webhooks: { form: /^[1-9]\d*$/, variable: 'DRILL_MESSAGES' },
};
const COLD_START = 'cold-start';
const USAGE = `usage: npm run drill -- <name>, one of
  ${[...Object.keys(DRILLS), COLD_START].join(', ')}
  rolling-upgrade <ref>   from the release that git names so
  faults <minutes>        for so long
  webhooks <number>       with so many messages`;

const [name, detail] = commandLineOrExit(USAGE, {}, 2).positionals;
if (name === undefined) endOverUsage('which drill?', USAGE);
const drill = Object.hasOwn(DRILLS, name) ? DRILLS[name] : undefined;
if (drill === undefined && name !== COLD_START) endOverUsage(`no drill ${name}`, USAGE);
const taken = DETAILS[name];
if (detail !== undefined && taken?.form.test(detail) !== true) endOverUsage(`${name} does not take '${detail}'`, USAGE);
if (name === COLD_START) {
  await import('./cold-start.mjs');
  process.exit(0);
}
const [project, specs, options] = drill;
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const { status } = spawnSync(
  process.execPath,
  [...jest, `--selectProjects=${project}`, '--runInBand', '--verbose', `--testPathPatterns=${specs}`],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...options,
      ...(detail === undefined ? {} : { [taken.variable]: detail }),
    },
  },
);
process.exit(status ?? 1);
