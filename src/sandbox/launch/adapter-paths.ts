import { resolve } from 'node:path';

/**
 * @param names `CONNECTOR_ERP_ADAPTERS` as it was given: packages or paths, comma between
 * @param folder what paths are relative to; the programs start in another one
 * @returns the same, each path absolute
 */
export function absoluteAdapters(names: string, folder: string): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .map((name) => (name.startsWith('.') ? resolve(folder, name) : name))
    .join(',');
}
