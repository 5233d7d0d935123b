// Pure state machine: posting groups are sent, looked up and sent again in three rounds. Intents are written before a sending (I17); a
// group that may be in the books is sent again only after a look-up says it is not (I18). Where the ERP fails on a request, the groups
// are sent in more and more requests, until each is alone if it takes others: one group that it cannot take keeps no other back (H18).
import type { PostingGuarantee } from '../../erp/domain/posting-guarantee.js';
import { existingOf, type DefiniteOutcome, type NeedsManualReview, type SendOutcome } from './send-outcome.js';
import { isLookUpConclusive } from './unknown-outcome.js';

export const MAX_ROUNDS = 3;
const FIRST_WAIT_MS = 400;
/** Longest `Retry-After` that a run waits for. */
const MAX_WAIT_MS = 10_000;

/** A posting group, as far as the rounds decide about it. */
export interface RoundGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
}

/** What the ERP has under a key. */
export type FoundGroup = Omit<RoundGroup, 'key'> & { readonly reversed: boolean };

/** Why the ERP could not be used. */
export interface RoundFailure {
  /** `server-error`: the ERP has failed on what it was sent. */
  readonly kind?: string;
  readonly message?: string;
  readonly retryAfterMs?: number | undefined;
}

type Stage = 'send' | 'mark-sent' | 'wait' | 'look-up' | 'mark-found' | 'advance-revisions' | 'finish';

/** Keys of intents whose state has to be recorded before the next stage. */
interface Marks {
  readonly uncertain: readonly string[];
  readonly rejected: readonly string[];
}

/** @typeParam P what the ERP has under a key @typeParam F why the ERP could not be used */
export interface PostingRounds<P extends FoundGroup, F extends RoundFailure> {
  readonly guarantee: PostingGuarantee;
  /** The policy for a group found reversed in the ERP: its next revision is sent, or it fails. */
  readonly reversedInErp: 'repost' | 'fail';
  readonly round: number;
  readonly stage: Stage;
  /** Groups without an outcome. */
  readonly open: readonly RoundGroup[];
  /** By key, in the order in which they became known. */
  readonly outcomes: ReadonlyMap<string, DefiniteOutcome<P> | NeedsManualReview>;
  /** By key, on how many of its sendings the ERP has failed. */
  readonly serverErrors: ReadonlyMap<string, number>;
  /** In the last sending each group had a request of its own. */
  readonly wereAlone: boolean;
  /** By key, the id in the ERP of an entry found reversed, whose next revision is sent. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Found reversed in the ERP, and not recorded yet. */
  readonly reversed: ReadonlyMap<string, P>;
  /** May be in the books, and are not sent. */
  readonly inDoubt: ReadonlySet<string>;
  readonly marks: Marks;
  /** The ERP has stated what happened to at least one group. */
  readonly hasDefiniteOutcome: boolean;
  /** Why the last sending left groups open. */
  readonly failure: F | undefined;
  /** Why the rounds end early, so that nothing is posted twice. */
  readonly interruption: F | 'stopping' | undefined;
}

/** The next action. */
export type RoundAction<P, F> =
  /** Write the intents, then send the groups whose intent could be written, in these requests. */
  | { readonly action: 'send'; readonly requests: readonly (readonly RoundGroup[])[] }
  | ({ readonly action: 'mark' } & Marks)
  | { readonly action: 'wait'; readonly ms: number }
  | { readonly action: 'look-up'; readonly keys: readonly string[] }
  /** Record these as reversed, so that their next revisions may be sent. */
  | { readonly action: 'advance-revisions'; readonly reversed: ReadonlyMap<string, P> }
  | {
      readonly action: 'finish';
      /**
       * Why some groups have no outcome, or why no more should be sent for now. Undefined when the ERP responds but may not show yet
       * what it has (level `searchable-reference`): such groups do not hold others back.
       */
      readonly failure: F | 'stopping' | 'reversed-each-time' | 'absent-at-last' | undefined;
    };

/** The result of an action. */
export type RoundEvent<P, F> =
  /** By key; a group without an outcome was not sent, since its intent is open. */
  | { readonly event: 'sent'; readonly outcomes: ReadonlyMap<string, SendOutcome<P, F>> }
  | { readonly event: 'marked' }
  | { readonly event: 'waited' }
  /** The worker stops; known outcomes are still recorded, since at level `none` no later run can find them. */
  | { readonly event: 'stopped' }
  | {
      readonly event: 'looked-up';
      readonly found: ReadonlyMap<string, P>;
      /** Keys that the look-up certainly shows if they are in the books. */
      readonly conclusive: ReadonlySet<string>;
    }
  | { readonly event: 'not-looked-up'; readonly failure: F }
  | {
      readonly event: 'revisions-advanced';
      /** By key, the revision that may be sent now. */
      readonly revisions: ReadonlyMap<string, number>;
      /** By key, the id in the ERP of the reversed entry. */
      readonly replaced: ReadonlyMap<string, string>;
    };

type OpenGroups = Pick<PostingRounds<FoundGroup, RoundFailure>, 'open' | 'inDoubt'>;

const NO_MARKS: Marks = { uncertain: [], rejected: [] };

/**
 * @param guarantee what the ERP offers against double posting
 * @param reversedInErp the policy for groups found reversed
 */
export function beginRounds<P extends FoundGroup, F extends RoundFailure>(
  guarantee: PostingGuarantee,
  groups: readonly RoundGroup[],
  reversedInErp: 'repost' | 'fail' = 'repost',
): PostingRounds<P, F> {
  return skipIdleStages<P, F>({
    guarantee,
    reversedInErp,
    round: 1,
    stage: groups.length > 0 ? 'send' : 'finish',
    open: groups,
    outcomes: new Map(),
    serverErrors: new Map(),
    wereAlone: false,
    replaced: new Map(),
    reversed: new Map(),
    inDoubt: new Set(),
    marks: NO_MARKS,
    hasDefiniteOutcome: false,
    failure: undefined,
    interruption: undefined,
  });
}

export function nextAction<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
): RoundAction<P, F> {
  switch (state.stage) {
    case 'send':
      return { action: 'send', requests: requestsOf(state) };
    case 'mark-sent':
    case 'mark-found':
      return { action: 'mark', ...state.marks };
    case 'wait':
      return {
        action: 'wait',
        ms: Math.max(FIRST_WAIT_MS * 2 ** Math.min(state.round, MAX_ROUNDS), state.failure?.retryAfterMs ?? 0),
      };
    case 'look-up':
      return { action: 'look-up', keys: inDoubtKeys(state) };
    case 'advance-revisions':
      return { action: 'advance-revisions', reversed: state.reversed };
    case 'finish':
      return { action: 'finish', failure: finalFailure(state) };
  }
}

/** @param event the result of the action that `nextAction` gives for this state */
export function applyEvent<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
  event: RoundEvent<P, F>,
): PostingRounds<P, F> {
  switch (event.event) {
    case 'sent':
      return skipIdleStages({ ...applySent(state, event.outcomes), stage: 'mark-sent' });
    case 'marked': {
      const stage = state.stage === 'mark-sent' ? 'wait' : 'advance-revisions';
      return skipIdleStages({ ...state, marks: NO_MARKS, stage });
    }
    case 'waited':
      return skipIdleStages({ ...state, stage: 'look-up' });
    case 'stopped':
      return skipIdleStages({ ...state, interruption: 'stopping', stage: 'advance-revisions' });
    case 'looked-up':
      return skipIdleStages({ ...applyFound(state, event.found, event.conclusive), stage: 'mark-found' });
    case 'not-looked-up':
      return skipIdleStages({ ...state, interruption: event.failure, stage: 'advance-revisions' });
    case 'revisions-advanced':
      return skipIdleStages<P, F>({
        ...state,
        open: state.open.map((group) => ({
          ...group,
          revision: event.revisions.get(group.key) ?? group.revision,
        })),
        replaced: new Map([...state.replaced, ...event.replaced]),
        reversed: new Map(),
      });
  }
}

/** Moves on to the next stage that has something to do. */
function skipIdleStages<P extends FoundGroup, F extends RoundFailure>(state: PostingRounds<P, F>): PostingRounds<P, F> {
  switch (state.stage) {
    case 'send':
      return sendable(state).length > 0 ? state : skipIdleStages({ ...state, stage: 'wait' });
    case 'mark-sent':
      return hasMarks(state) ? state : skipIdleStages({ ...state, stage: 'wait' });
    case 'wait':
      return beforeWaiting(state);
    case 'look-up':
      return inDoubtKeys(state).length > 0 ? state : skipIdleStages({ ...state, stage: 'advance-revisions' });
    case 'mark-found':
      return hasMarks(state) ? state : skipIdleStages({ ...state, stage: 'advance-revisions' });
    case 'advance-revisions':
      return state.reversed.size > 0 ? state : afterRound(state);
    case 'finish':
      return state;
  }
}

/** No wait when every open group is known to be reversed, or when the ERP asks for a long pause. */
function beforeWaiting<P extends FoundGroup, F extends RoundFailure>(state: PostingRounds<P, F>): PostingRounds<P, F> {
  if (state.open.every(({ key }) => state.reversed.has(key))) {
    return skipIdleStages({ ...state, stage: 'advance-revisions' });
  }
  if ((state.failure?.retryAfterMs ?? 0) > MAX_WAIT_MS) {
    return skipIdleStages({ ...state, interruption: state.failure, stage: 'advance-revisions' });
  }
  return state;
}

function afterRound<P extends FoundGroup, F extends RoundFailure>(state: PostingRounds<P, F>): PostingRounds<P, F> {
  if (state.interruption !== undefined || state.open.length === 0) {
    return { ...state, stage: 'finish' };
  }
  const mayBringMore = state.outcomes.size > 0 && failsOnRequests(state) && !state.wereAlone;
  return state.round < MAX_ROUNDS || mayBringMore
    ? skipIdleStages({ ...state, round: state.round + 1, stage: 'send' })
    : { ...withFailingGroups(state), stage: 'finish' };
}

/** The ERP answers, and fails on something in a request. */
function failsOnRequests({ failure }: Pick<PostingRounds<FoundGroup, RoundFailure>, 'failure'>): boolean {
  return failure?.kind === 'server-error' && failure.retryAfterMs === undefined;
}

/** Of about the same size. */
function requestsOf(state: PostingRounds<FoundGroup, RoundFailure>): readonly (readonly RoundGroup[])[] {
  const groups = sendable(state);
  const size = Math.ceil(groups.length / (failsOnRequests(state) ? 2 ** (state.round - 1) : 1));
  const first = Array.from({ length: Math.ceil(groups.length / size) }, (_, index) => index * size);
  return first.map((start) => groups.slice(start, start + size));
}

/** A group on which the ERP has failed each time, in the end alone, is at fault itself if the ERP took others meanwhile. */
function withFailingGroups<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
): PostingRounds<P, F> {
  if (state.outcomes.size === 0 || !failsOnRequests(state) || !state.wereAlone) {
    return state;
  }
  const outcome = { outcome: 'fails-alone', message: state.failure?.message ?? '' } as const;
  const failing = sendable(state).filter(({ key }) => (state.serverErrors.get(key) ?? 0) >= MAX_ROUNDS);
  const outcomes = new Map([...state.outcomes, ...failing.map(({ key }) => [key, outcome] as const)]);
  return { ...state, outcomes, open: state.open.filter(({ key }) => !outcomes.has(key)) };
}

function applySent<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
  sent: ReadonlyMap<string, SendOutcome<P, F>>,
): PostingRounds<P, F> {
  const inDoubt = new Set(state.inDoubt);
  const marks = { uncertain: [] as string[], rejected: [] as string[] };
  const definite = new Map<string, DefiniteOutcome<P>>();
  const serverErrors = new Map(state.serverErrors);
  let failure: F | undefined;
  for (const { key } of sendable(state)) {
    const outcome = sent.get(key);
    if (outcome === undefined) {
      inDoubt.add(key);
    } else if (!('failure' in outcome)) {
      definite.set(key, outcome);
    } else if (outcome.outcome === 'unknown') {
      failure = outcome.failure;
      serverErrors.set(key, (serverErrors.get(key) ?? 0) + (failsOnRequests({ failure }) ? 1 : 0));
      inDoubt.add(key);
      marks.uncertain.push(key);
    } else {
      failure = outcome.failure;
      // "Not sent" is verified where a look-up is conclusive at once; elsewhere the response is more reliable.
      if (isLookUpConclusive(state.guarantee, 0)) {
        inDoubt.add(key);
      } else {
        marks.rejected.push(key);
      }
    }
  }
  const wereAlone = requestsOf(state).every((groups) => groups.length === 1);
  const hasDefiniteOutcome = state.hasDefiniteOutcome || definite.size > 0;
  const known = { ...state, inDoubt, marks, serverErrors, wereAlone, hasDefiniteOutcome, failure };
  const after = withOutcomes(known, definite);
  return state.guarantee.level === 'none' ? requireManualReview(after) : after;
}

function applyFound<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
  found: ReadonlyMap<string, P>,
  conclusive: ReadonlySet<string>,
): PostingRounds<P, F> {
  const inDoubt = new Set(state.inDoubt);
  const rejected: string[] = [];
  const definite = new Map<string, DefiniteOutcome<P>>();
  for (const { key, revision, contentDigest } of state.open.filter((group) => inDoubt.has(group.key))) {
    const posted = found.get(key);
    // An older revision was reversed before this one was sent.
    if (posted !== undefined && posted.revision >= revision) {
      const isSame = posted.contentDigest === contentDigest;
      definite.set(
        key,
        isSame ? { outcome: 'existed', posted } : { outcome: 'conflict', existing: posted, existingContent: [] },
      );
    } else if (conclusive.has(key)) {
      inDoubt.delete(key);
      rejected.push(key);
    }
  }
  return withOutcomes({ ...state, inDoubt, marks: { uncertain: [], rejected } }, definite);
}

/** A group found reversed stays open for its next revision, or fails by the policy. */
function withOutcomes<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
  definite: ReadonlyMap<string, DefiniteOutcome<P>>,
): PostingRounds<P, F> {
  const outcomes = new Map(state.outcomes);
  const reversed = new Map(state.reversed);
  for (const [key, outcome] of definite) {
    const existing = existingOf(outcome);
    if (existing?.reversed === true && state.reversedInErp === 'fail') {
      outcomes.set(key, { outcome: 'reversed-in-erp', existing });
    } else if (existing?.reversed === true) {
      reversed.set(key, existing);
    } else {
      outcomes.set(key, outcome);
    }
  }
  return {
    ...state,
    outcomes,
    reversed,
    inDoubt: new Set([...state.inDoubt].filter((key) => !definite.has(key))),
    open: state.open.filter(({ key }) => !outcomes.has(key)),
  };
}

function requireManualReview<P extends FoundGroup, F extends RoundFailure>(
  state: PostingRounds<P, F>,
): PostingRounds<P, F> {
  const reviews = [...state.inDoubt].map((key) => [key, { outcome: 'needs-manual-review' }] as const);
  const outcomes = new Map([...state.outcomes, ...reviews]);
  return { ...state, outcomes, open: state.open.filter(({ key }) => !outcomes.has(key)) };
}

function finalFailure<P extends FoundGroup, F extends RoundFailure>({
  open,
  inDoubt,
  hasDefiniteOutcome,
  replaced,
  failure,
  interruption,
}: PostingRounds<P, F>): F | 'stopping' | 'reversed-each-time' | 'absent-at-last' | undefined {
  if (interruption !== undefined) {
    return interruption;
  }
  const unsent = sendable({ open, inDoubt });
  if (unsent.length > 0) {
    return failure ?? (unsent.some(({ key }) => replaced.has(key)) ? 'reversed-each-time' : 'absent-at-last');
  }
  // An ERP without any definite outcome is not used for a while: further postings would become unknown too.
  return inDoubt.size > 0 && !hasDefiniteOutcome ? failure : undefined;
}

function sendable({ open, inDoubt }: OpenGroups): readonly RoundGroup[] {
  return open.filter(({ key }) => !inDoubt.has(key));
}

function inDoubtKeys({ open, inDoubt }: OpenGroups): readonly string[] {
  return open.map(({ key }) => key).filter((key) => inDoubt.has(key));
}

function hasMarks({ marks }: { readonly marks: Marks }): boolean {
  return marks.uncertain.length > 0 || marks.rejected.length > 0;
}
