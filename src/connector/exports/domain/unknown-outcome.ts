// What may follow a post whose outcome is unknown, level by level (docs/rules/capability-levels.md).

/** What the ERP offers against double posting; the port's `ErpCapability` says the same at more length. */
export type PostingGuarantee =
  | { readonly level: 'permanent-key'; readonly underWayMs?: number }
  | { readonly level: 'expiring-key'; readonly keyLifeMs: number; readonly underWayMs?: number }
  | { readonly level: 'searchable-reference'; readonly searchLagMs: number }
  | { readonly level: 'none' };

/** How long ago a group was sent, in milliseconds of the database's clock, which all workers share (I31). */
export interface SendingAge {
  readonly sinceFirstMs: number;
  readonly sinceLastMs: number;
}

/**
 * `resend`: the key keeps a second sending from having an effect; what a look-up does not find may be sent again ·
 * `look-up`: only the look-up shows it, and it is conclusive · `look-up-until`: what it finds is there, what it does not
 * find may be there nevertheless · `manual-review`: only manual review decides.
 */
export type UnknownOutcomeAction = 'resend' | 'look-up' | 'look-up-until' | 'manual-review';

/** @param age from before the look-up, so that what the look-up misses was sent at least that long ago */
export function decideAfterUnknown(promise: PostingGuarantee, age: SendingAge): UnknownOutcomeAction {
  switch (promise.level) {
    case 'permanent-key':
      return 'resend';
    case 'expiring-key':
      // A clock that ran backwards says nothing of the key's age.
      return age.sinceFirstMs >= 0 && age.sinceFirstMs < promise.keyLifeMs ? 'resend' : 'look-up';
    case 'searchable-reference':
      return isLookUpConclusive(promise, age.sinceLastMs) ? 'look-up' : 'look-up-until';
    case 'none':
      return 'manual-review';
  }
}

/**
 * @param ageMs since the request that may have changed something
 * @returns whether a look-up surely shows it by now, if it had an effect
 */
export function isLookUpConclusive(promise: PostingGuarantee, ageMs: number): boolean {
  switch (promise.level) {
    case 'permanent-key':
    case 'expiring-key':
      return true;
    case 'searchable-reference':
      return ageMs >= promise.searchLagMs;
    case 'none':
      return false;
  }
}

/**
 * @param isLast it will not be sent again, so that a living key keeps nothing from standing there
 * @returns whether something may stand under a key whose intent says "surely not posted". That is also said of a key that
 *   other content was found under, and a key that has died lets a second entry pass where a living one would say so. At the levels
 *   with a key it is said as soon as a look-up finds nothing, too, while what was sent before may still arrive.
 */
export function mayRejectedBePosted({ level }: PostingGuarantee, isLast: boolean): boolean {
  return level === 'expiring-key' || (level === 'permanent-key' && isLast);
}

/**
 * @returns whether the last sending may still be under way, so that a look-up which does not find it proves nothing. A key lets
 *   it be sent again nevertheless; it must only not be said that it is not in the books.
 */
export function mayBeUnderWay(promise: PostingGuarantee, { sinceLastMs }: SendingAge): boolean {
  switch (promise.level) {
    case 'permanent-key':
    case 'expiring-key':
      return sinceLastMs < (promise.underWayMs ?? 0);
    case 'searchable-reference':
    case 'none':
      return false;
  }
}
