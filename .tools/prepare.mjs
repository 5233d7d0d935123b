// Runs before npm start and npm test: installs what is missing. Works on any Node ≥ 20 with nothing installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';

const MARK = 'node_modules/.installed-from';
const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
const installed = existsSync(MARK) ? readFileSync(MARK, 'utf8') : '';
// Somebody's own npm install leaves no mark of ours but npm's own lock file: believe it when it is there.
const byHand =
  installed === '' && existsSync('node_modules/.package-lock.json') && existsSync('node_modules/.bin/node');

// Libraries of another checkout, linked here: npm ci would take them away from it.
const isLinked = lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink() === true;

if (installed !== lock && !byHand && !isLinked) {
  npm('ci', '--no-audit', '--no-fund', '--ignore-scripts');
  // Not every npm reads `allowScripts`: none runs scripts of its own accord here, and those that are listed run by name.
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(`node_modules/${name}`));
  npm('rebuild', '--ignore-scripts=false', ...allowed);
}
if (!isLinked) {
  writeFileSync(MARK, lock);
}

function npm(...args) {
  const { status } = spawnSync('npm', [...args, '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`npm ${args[0]} failed; the messages above say why.`);
    process.exit(status ?? 1);
  }
}
