import type { InstallationId } from '../../kernel/ids.js';
import type { MappingVersion } from './domain/mapping.js';

/** A version without rules takes room as well. */
const RULES_OF_SETTINGS = 50;
/** Of all companies together, and room for the largest mapping there may be; a rule takes about a kilobyte. */
const MAX_RULES = 50_000 + RULES_OF_SETTINGS;

/**
 * Versions of mappings that were read last, within bounds. A version never changes and is never deleted (I21), so what is kept cannot be
 * outdated: every export of a company, and the checks after it, need the same one.
 */
export class RecentVersions {
  /** The one that was used last comes last. */
  private readonly versions = new Map<string, MappingVersion>();
  private size = 0;

  find(installationId: InstallationId, version: number): MappingVersion | undefined {
    const key = keyOf(installationId, version);
    const found = this.versions.get(key);
    if (found !== undefined) {
      this.versions.delete(key);
      this.versions.set(key, found);
    }
    return found;
  }

  /** The versions that were not used for the longest time leave; one that is too large for all the room is not kept. */
  add(installationId: InstallationId, version: MappingVersion): void {
    const key = keyOf(installationId, version.version);
    if (this.versions.has(key) || sizeOf(version) > MAX_RULES) {
      return;
    }
    this.versions.set(key, version);
    this.size += sizeOf(version);
    for (const [oldest, left] of this.versions) {
      if (this.size <= MAX_RULES) {
        break;
      }
      this.versions.delete(oldest);
      this.size -= sizeOf(left);
    }
  }
}

function keyOf(installationId: InstallationId, version: number): string {
  return `${installationId} ${version.toString()}`;
}

function sizeOf({ rules }: MappingVersion): number {
  return rules.length + RULES_OF_SETTINGS;
}
