// What a newcomer sees: a clone of the last commit with an empty npm cache, started with the first command of the README, and once more.
// Each line is printed with the second at which it came; `docs/operations/cold-start.md` is made of it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

const RECORD = 'docs/operations/cold-start.md';
/** Of one start; a slow network makes the first one long. */
const LIMIT_MS = 15 * 60_000;

const folder = await mkdtemp(join(tmpdir(), 'cold-start-'));
try {
  const clone = join(folder, 'connector');
  const { status } = spawnSync('git', ['clone', '--quiet', '.', clone], { stdio: 'inherit' });
  if (status !== 0) throw new Error('git could not clone this repository');
  const environment = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_update_notifier: 'false' };
  const first = await start(clone, environment);
  const second = await start(clone, environment);
  await writeFile(RECORD, record(first, second));
  console.log(`written to ${RECORD}: ${seconds(first.took)} s the first time, ${seconds(second.took)} s after it`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @returns the lines with their moments, and how long it took; in milliseconds */
async function start(cwd, env) {
  console.log('npm start -- --once');
  const began = performance.now();
  const program = spawn('npm', ['start', '--', '--once'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  const lines = [];
  const hear = async (stream) => {
    for await (const text of createInterface({ input: stream })) {
      const line = { at: performance.now() - began, text: stripVTControlCharacters(text).replaceAll(folder, '…') };
      lines.push(line);
      console.log(shown(line));
    }
  };
  const ended = new Promise((resolve) => program.once('close', resolve));
  await Promise.all([hear(program.stdout), hear(program.stderr)]);
  const code = await ended;
  if (code !== 0) throw new Error(`npm start ended with ${code}`);
  return { lines, took: performance.now() - began };
}

function record(first, second) {
  const block = ({ lines }) => ['```text', '$ npm start -- --once', ...lines.map(shown), '```'].join('\n');
  const machine = `${cpus().length} processors (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node.js ${process.version}`;
  return `# A cold start, recorded

\`npm run drill -- cold-start\` has written this: a clone with an empty npm cache on ${machine}.
Before each line stands the second at which it came. The pages that it leads to are shown in the [README](../../README.md).

## The first time: ${seconds(first.took)} s

${block(first)}

## Once more: ${seconds(second.took)} s

${block(second)}
`;
}

function shown({ at, text }) {
  return `${seconds(at).padStart(6)}  ${text}`.trimEnd();
}

function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}
