// What may follow a post whose outcome is unknown, level by level
// (docs/rules/capability-levels.md): the remedy that the clauses
// apply, and every caller of the port.
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import type { PostedGroup, PostingGroup, PostOutcome } from '../../connector/erp/erp-ledger.js';

const LOOK_EVERY_MS = 100;

/** A group that was sent, with an unknown outcome. */
export interface InDoubtPost {
  readonly group: PostingGroup;
  /** When its key was first sent, before the request left; milliseconds of the clock that `now` gives. */
  readonly firstSentAt: number;
}

/**
 * Finds out or sends again, as far as the level allows without a second effect.
 * @param now milliseconds; the suite's own clock, or one that is ahead
 * @returns how it ended; `unknown` where only a person can tell
 */
export async function settleInDoubt(
  erp: ConnectedErp,
  { group, firstSentAt }: InDoubtPost,
  now: () => number = Date.now,
): Promise<PostOutcome> {
  const { guarantee } = erp;
  switch (guarantee.level) {
    case 'permanent-key':
      return send(erp, group);
    case 'expiring-key':
      return now() - firstSentAt < guarantee.keyLifeMs
        ? send(erp, group)
        : ((await lookUp(erp, group)) ?? send(erp, group));
    case 'searchable-reference': {
      const lagMs = guarantee.searchLagMs;
      const found = await lookUpFor(lagMs, erp, group);
      if (found !== undefined) {
        return found;
      }
      const outcome = await send(erp, group);
      // Taken after all: something was posted in between, and shows once the search has caught up.
      return outcome.outcome === 'unknown' ? ((await lookUpFor(lagMs, erp, group)) ?? outcome) : outcome;
    }
    case 'none':
      return { outcome: 'unknown', failure: { kind: 'timeout', message: 'left to a person' } };
  }
}

async function lookUpFor(lagMs: number, erp: ConnectedErp, group: PostingGroup): Promise<PostOutcome | undefined> {
  const lagEnds = Date.now() + lagMs;
  for (;;) {
    const asked = Date.now();
    const found = await lookUp(erp, group);
    if (found !== undefined || asked >= lagEnds) {
      return found;
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** An older revision than the one sent says nothing about it. */
async function lookUp(
  erp: ConnectedErp,
  { key, revision, contentDigest }: PostingGroup,
): Promise<PostOutcome | undefined> {
  const posted: PostedGroup | undefined = (await erp.findPosted([key])).get(key);
  if (posted === undefined || posted.revision < revision) {
    return undefined;
  }
  return posted.contentDigest === contentDigest
    ? { outcome: 'existed', posted }
    : { outcome: 'conflict', existing: posted, existingContent: [] };
}

async function send(erp: ConnectedErp, group: PostingGroup): Promise<PostOutcome> {
  const [outcome] = await erp.post([group]);
  return outcome ?? { outcome: 'unknown', failure: { kind: 'server-error', message: 'no outcome' } };
}
