// npm run bench [-- name …]: each benchmark measures against a baseline in the same run and prints the ratio, because
// absolute figures say more about the machine than about the code.
import { posting } from './posting.mjs';
import { planning } from './planning.mjs';

const benchmarks = { planning, posting };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`);
  process.exit(1);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length === 0 || asked.includes(name)) {
    const { measured, baseline, unit } = await run();
    const ratio = (measured.perSecond / baseline.perSecond).toFixed(2);
    const figure = ({ what, perSecond }) => `${what} ${Math.round(perSecond).toLocaleString('en')} ${unit}/s`;
    console.log(`${name}: ${figure(measured)}; ${figure(baseline)}; ratio ${ratio}`);
  }
}
