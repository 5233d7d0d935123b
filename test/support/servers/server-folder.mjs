// Where the server of the tests keeps its databases: each has a thousand files, and a run makes and drops some hundred of them. A file
// system on a disk that does not use the numbers of deleted files again for a while (ext4) then searches for each new file among all those
// that were deleted: half a second of processor time for one database, in memory a twentieth.
import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';

const MEMORY = '/dev/shm';
/** A run holds some hundred megabytes at a time; the log of changes may grow to one gigabyte. */
const ENOUGH_BYTES = 3 * 1_024 ** 3;

/** @returns the folder of this clone's server: in memory where there is enough of it, else beside its other data */
export function serverFolder() {
  const name = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12);
  const inMemory = join(MEMORY, `erp-export-connector-tests-${name}`);
  return existsSync(inMemory) || freeBytes() >= ENOUGH_BYTES ? inMemory : join(process.cwd(), '.data/test-postgres');
}

/** Gives the memory back, once the server has stopped. */
export async function releaseMemory(folder) {
  if (!folder.startsWith(MEMORY)) {
    return;
  }
  // The lock under which the next run starts the server.
  const release = await lock(folder, { stale: 20_000, retries: 20 });
  try {
    if (!existsSync(join(folder, 'cluster/postmaster.pid'))) {
      await rm(join(folder, 'cluster'), { recursive: true, force: true });
    }
  } finally {
    await release();
  }
}

function freeBytes() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
