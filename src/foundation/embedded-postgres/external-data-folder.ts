// Where a cluster lives when the server's account may not enter the project's folder (a clone below /root, or in a
// private temporary folder): a place of its own outside, known from the folder and knowing it.
import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists } from './binaries.js';
import type { ServerUser } from './server-user.js';

const run = promisify(execFile);

/** Kept over reboots. */
const EXTERNAL_ROOT = '/var/tmp';
const PREFIX = 'erp-export-connector-';
const POINTER = 'moved-to';
const BACK_POINTER = 'belongs-to';
/** A place younger than this may be one that another start is just making. */
const SETTLED_MS = 60_000;

/** @returns the place of this folder, made when there is none yet */
export async function externalDataFolder(folder: string, user: ServerUser): Promise<string> {
  const known = await readFile(join(folder, POINTER), 'utf8').catch(() => '');
  if (known !== '' && (await exists(known))) {
    return known;
  }
  await removeAbandoned(user);
  const place = await mkdtemp(join(EXTERNAL_ROOT, PREFIX));
  await writeFile(join(place, BACK_POINTER), folder);
  await chmod(place, 0o700);
  await chown(place, user.uid, user.gid);
  await writeFile(join(folder, POINTER), place);
  return place;
}

/** Removes the places of folders that are gone, with their servers: a deleted clone must not fill the disk for ever. */
async function removeAbandoned(user: ServerUser): Promise<void> {
  const names = await readdir(EXTERNAL_ROOT);
  for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
    const place = join(EXTERNAL_ROOT, name);
    if (await isAbandoned(place)) {
      const stop = ['-D', join(place, 'cluster'), 'stop', '-m', 'immediate', '-t', '5'];
      await run(join(place, 'native/bin/pg_ctl'), stop, { ...user, cwd: '/' }).catch(() => undefined);
      await rm(place, { recursive: true, force: true });
    }
  }
}

async function isAbandoned(place: string): Promise<boolean> {
  const folder = await readFile(join(place, BACK_POINTER), 'utf8').catch(() => undefined);
  const made = await stat(place).catch(() => undefined);
  if (folder === undefined || made === undefined || Date.now() - made.birthtimeMs < SETTLED_MS) {
    return false;
  }
  return (await readFile(join(folder, POINTER), 'utf8').catch(() => '')) !== place;
}
