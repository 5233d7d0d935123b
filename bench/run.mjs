// npm run bench [-- name …]: each benchmark measures against a baseline in the same run and prints the ratio, because
// absolute figures say more about the machine than about the code. Exit code 1 when a ratio misses its bar.
import { judged } from './bars.mjs';
import { burst } from './burst.mjs';
import { connections } from './connections.mjs';
import { exporting } from './exporting.mjs';
import { fairness } from './fairness.mjs';
import { intake } from './intake.mjs';
import { ledger } from './ledger.mjs';
import { lists } from './lists.mjs';
import { pipeline } from './pipeline.mjs';
import { planning } from './planning.mjs';
import { processes } from './processes.mjs';
import { realPrograms } from './real-programs.mjs';
import { reconciling } from './reconciling.mjs';
import { referenceData } from './reference-data.mjs';
import { start } from './start.mjs';
import { streams } from './streams.mjs';
import { commandLineOrExit, endOverUsage } from '../src/foundation/config/command-line.ts';
import { simulatorPaging } from './simulator-paging.mjs';

const benchmarks = {
  planning,
  ledger,
  exporting,
  pipeline,
  'real-programs': realPrograms,
  burst,
  fairness,
  processes,
  intake,
  connections,
  reconciling,
  'reference-data': referenceData,
  'simulator-paging': simulatorPaging,
  lists,
  streams,
  start,
};
const USAGE = `usage: npm run bench -- [name …]: all of them, an hour or more, or those that are named, of
  ${Object.keys(benchmarks).join(', ')}`;
const asked = commandLineOrExit(USAGE, {}, Infinity).positionals;
const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) endOverUsage(`no benchmark ${unknown.join(', ')}`, USAGE);
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length === 0 || asked.includes(name)) {
    for (const { measured, baseline, ratio, bar, keeps } of judged(name, await run())) {
      const verdict = keeps ? bar : `MISSED, ${bar}`;
      console.log(`${name}: ${measured}; ${baseline}; ratio ${ratio.toFixed(2)} (${verdict})`);
      process.exitCode ||= keeps ? 0 : 1;
    }
  }
}
