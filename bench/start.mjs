// Loading a program: bundled, as it is started, against its modules one by one. A setting that is refused ends it before it connects to anything.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = {
  worker: 'connector/worker.js',
  api: 'connector/main.js',
  simulator: 'sandbox/simulator/main.js',
  ledger: 'sandbox/ledger/main.js',
};
const ROUNDS = 5;
const LIMIT_MS = 60_000;
const CONFIGURATION_ERROR = 78;
/** Written by the program itself: how a child has used the processor is not to be had otherwise. */
const REPORT = `data:text/javascript,process.on('exit',()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();console.log(JSON.stringify({ms:(u+s)/1e3,mb:m/1024}))})`;

export function start() {
  const cache = mkdtempSync(join(tmpdir(), 'compiled-'));
  try {
    return Object.entries(PROGRAMS).flatMap(([name, entry]) => compared(name, entry, cache));
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** In turns, so that a busy moment of the machine meets both alike; the first round fills the cache of compiled code. */
function compared(name, entry, cache) {
  const costs = { dist: [], build: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const folder of ['dist', 'build']) {
      const cost = loaded(join(folder, entry), cache);
      if (round > 0) costs[folder].push(cost);
    }
  }
  const figure = (folder, unit) =>
    costs[folder].map((cost) => cost[unit]).toSorted((one, other) => one - other)[ROUNDS >> 1];
  return [
    ['ms', 'ms of processor time'],
    ['mb', 'MB of memory'],
  ].map(([unit, words]) => ({
    measured: `${name}, bundled: ${Math.round(figure('dist', unit))} ${words}`,
    baseline: `its modules: ${Math.round(figure('build', unit))}`,
    ratio: figure('dist', unit) / figure('build', unit),
  }));
}

function loaded(file, cache) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', '--import', REPORT, file], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache, LOG_LEVEL: 'none of the levels' },
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  if (status !== CONFIGURATION_ERROR) throw new Error(`${file} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
