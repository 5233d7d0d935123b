import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of package.json, migrations and web: the nearest above, since a program runs bundled and a test from its modules. */
export const PROJECT_ROOT = folderWith('package.json', import.meta.dirname);

function folderWith(file: string, folder: string): string {
  return existsSync(join(folder, file)) || dirname(folder) === folder ? folder : folderWith(file, dirname(folder));
}
