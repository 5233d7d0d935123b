// `npm run drill -- <name>`: an outage that is practiced, with real programs on a real PostgreSQL, or a newcomer's first start. The runbook
// has a line on each.
import { spawnSync } from 'node:child_process';

/** Name of the drill, its project, its specs, and what they are told. */
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

/** The second word of `rolling-upgrade`: the release before, as git names it; of `webhooks`: how many messages; of `faults`:
 * how many minutes. */
const [name = '', detail] = process.argv.slice(2);
if (name === 'cold-start') {
  await import('./cold-start.mjs');
  process.exit(0);
}
const drill = Object.hasOwn(DRILLS, name) ? DRILLS[name] : undefined;
if (drill === undefined) {
  console.error(`usage: npm run drill -- <${Object.keys(DRILLS).join('|')}|cold-start>`);
  process.exit(1);
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
      ...(detail === undefined ? {} : { UPGRADE_FROM: detail, DRILL_MESSAGES: detail, DRILL_MINUTES: detail }),
    },
  },
);
process.exit(status ?? 1);
