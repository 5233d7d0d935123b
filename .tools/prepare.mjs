// Runs before every npm script: installs what is missing. Works on any Node ≥ 20 with nothing installed.
// `npm start` needs what runs and builds the programs; with --all come the tools of tests and checks, too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';

const MARK = 'node_modules/.installed-from';
/** Measured on Linux, x64: on disk, and on a fast line. */
const SIZES = {
  running: '575 MB, 250 of them Node and PostgreSQL; half a minute to two',
  all: '700 MB; one to two minutes',
};

const wantsAll = process.argv.includes('--all');
const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
const installed = existsSync(MARK) ? readFileSync(MARK, 'utf8') : '';
const hasAll = existsSync('node_modules/jest');
// Somebody's own npm install leaves no mark of ours but npm's own lock file: believe it when it is there.
const byHand =
  installed === '' && existsSync('node_modules/.package-lock.json') && existsSync('node_modules/.bin/node');
// Libraries of another checkout, linked here: npm ci would take them away from it.
const isLinked = lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink() === true;

if (!isLinked && ((installed !== lock && !byHand) || (wantsAll && !hasAll))) {
  // What is there for tests stays: an installation of less would remove it.
  install(wantsAll || hasAll ? 'all' : 'running');
}
if (!isLinked) {
  writeFileSync(MARK, lock);
}

function install(extent) {
  console.error(`installing ${count(extent).toString()} packages (${SIZES[extent]})`);
  npm('ci', '--ignore-scripts', ...(extent === 'all' ? [] : ['--omit=dev']));
  // Not every npm reads `allowScripts`: none runs scripts of its own accord here, and those that are listed run by name.
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(`node_modules/${name}`));
  npm('rebuild', '--ignore-scripts=false', ...allowed);
}

/** Packages of the lock file that this machine takes. */
function count(extent) {
  const takes = (list, own) => list === undefined || list.includes(own);
  return Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages).filter(
    ([path, { dev, os, cpu, libc }]) =>
      path !== '' &&
      (extent === 'all' || dev !== true) &&
      takes(os, process.platform) &&
      takes(cpu, process.arch) &&
      takes(libc, 'glibc'),
  ).length;
}

function npm(...args) {
  const { status } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    // On a terminal npm shows how far it is.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`npm ${args[0]} failed; the messages above say why.`);
    process.exit(status ?? 1);
  }
}
