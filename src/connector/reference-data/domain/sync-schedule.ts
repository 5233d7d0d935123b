// When an installation's reference data is synchronized: once a day, each installation at its own time, so that the runs
// are spread over the day.

const DAY_MS = 86_400_000;
/** A scheduled time that comes sooner than this after a run is skipped. */
const MIN_PAUSE_MS = 3_600_000;

/** @returns the installation's next time of the day, an hour away or more */
export function nextSyncAt(installationId: string, now: Date): Date {
  const earliest = now.getTime() + MIN_PAUSE_MS;
  const startOfDay = Math.floor(earliest / DAY_MS) * DAY_MS;
  const today = startOfDay + (hashOf(installationId) % DAY_MS);
  return new Date(today >= earliest ? today : today + DAY_MS);
}

/** FNV-1a with 32 bits, with the last bits stirred (murmur3): the same on every machine, and even. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
