// What a folder of output was built from, so that it is built again only when that has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns paths of all files below a folder, sorted */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param mark the `file` that says what `paths` were when the output was built */
export function isBuiltFrom({ file, paths }) {
  return existsSync(file) && readFileSync(file, 'utf8') === digest(paths);
}

export function markBuilt({ file, paths }) {
  writeFileSync(file, digest(paths));
}

function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash.update(`${path}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}
