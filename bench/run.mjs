// npm run bench [-- name …]: each benchmark measures against a baseline in the same run and prints the ratio, because
// absolute figures say more about the machine than about the code.
import { exporting } from './exporting.mjs';
import { ledger } from './ledger.mjs';
import { planning } from './planning.mjs';
import { reconciling } from './reconciling.mjs';
import { referenceData } from './reference-data.mjs';
import { simulatorPaging } from './simulator-paging.mjs';

const benchmarks = {
  planning,
  ledger,
  exporting,
  reconciling,
  'reference-data': referenceData,
  'simulator-paging': simulatorPaging,
};
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`);
  process.exit(1);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length === 0 || asked.includes(name)) {
    for (const { measured, baseline, ratio } of await run()) {
      console.log(`${name}: ${measured}; ${baseline}; ratio ${ratio.toFixed(2)}`);
    }
  }
}
