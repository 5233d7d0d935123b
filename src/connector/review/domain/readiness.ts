// Pure: what would prevent the next export from succeeding, as far as that is known before it begins.
import { message, type Message } from '../../../kernel/message.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { UseKind } from '../../exports/domain/search/search-lines.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import type { DriftFinding } from './drift.js';
import { problemOf } from './issue-resolution.js';

export const BLOCKER_KINDS = [
  'paused',
  'platform',
  'accounting-system',
  'setup',
  'rules',
  'unmapped',
  'partly-mapped',
  'drift',
  'issue',
] as const;

export interface Blocker {
  readonly kind: (typeof BLOCKER_KINDS)[number];
  /** Of steps, values or entries, by its kind. */
  readonly count: number;
  readonly detail: Message;
  /** Where it is resolved: a path below the page's address; null where only the operator of the service can. */
  readonly link: string | null;
}

/** Values of the platform that exports have named lately and that become nothing in the books. */
export interface UnmappedInUse {
  readonly list: Exclude<UseKind, 'vendors'>;
  readonly count: number;
  /** In which they were named. */
  readonly entries: number;
  /** Mapped for some types of entries only: whether the next one is of these is not known. */
  readonly isPartly: boolean;
}

export interface BlockingIssue {
  readonly issue: Issue;
  readonly entries: number;
  /** Of the issue's page; undefined where it has none yet. */
  readonly key: string | undefined;
}

/** What would happen to failed entries if they were exported again now. */
export interface ReplannedEntries {
  readonly willPost: number;
  readonly needYou: number;
  /** Nothing is stored of them any more. */
  readonly notKnown: number;
  /** There are more than were looked at. */
  readonly isTruncated: boolean;
  /** Those that block most entries first. */
  readonly issues: readonly BlockingIssue[];
}

export interface ReadinessFacts {
  /** Why the operator has paused exports; undefined: they are not paused. */
  readonly pauseReason: string | undefined;
  readonly steps: readonly SetupStep[];
  readonly unmapped: readonly UnmappedInUse[];
  readonly drift: readonly DriftFinding[];
  readonly issues: readonly BlockingIssue[];
}

const MAX_ISSUES = 20;
const KIND_OF_STEP: Readonly<Record<string, Blocker['kind']>> = {
  'platform-connection': 'platform',
  'erp-company': 'accounting-system',
  'erp-reachable': 'accounting-system',
  'open-period': 'accounting-system',
  rules: 'rules',
};

/** What is mapped in part keeps back only what it is not mapped for, which may never come. */
export function isInTheWay({ kind }: Blocker): boolean {
  return kind !== 'partly-mapped';
}

/** What stops all exports first, connections and set-up next, then the mapping, then what is known of entries. */
export function blockersOf({ pauseReason, steps, unmapped, drift, issues }: ReadinessFacts): readonly Blocker[] {
  const open = steps.filter(({ state }) => state === 'open');
  const blocking = open.filter(({ check, blocks }) => blocks !== 'nothing' || check === 'rules');
  const isReportedByStep = driftReportedBy(open);
  const unusable = drift.filter((finding) => finding.what !== 'renamed' && !isReportedByStep(finding));
  return [
    ...(pauseReason === undefined ? [] : [pauseBlocker(pauseReason)]),
    ...blocking.map(({ check, detail }): Blocker => ({
      kind: KIND_OF_STEP[check] ?? 'setup',
      count: 1,
      detail,
      link: check === 'rules' ? '/mapping' : '/setup',
    })),
    ...unmapped
      .filter(({ count }) => count > 0)
      .map(({ list, count, entries, isPartly }): Blocker => ({
        kind: isPartly ? 'partly-mapped' : 'unmapped',
        count,
        detail: message(`readiness.${isPartly ? 'partly' : 'unmapped'}.${list}`, { count, entries }),
        link: `/reference-data?tab=${list}`,
      })),
    ...(unusable.length === 0 ? [] : [driftBlocker(unusable)]),
    ...issues.slice(0, MAX_ISSUES).map(({ issue, entries, key }): Blocker => ({
      kind: 'issue',
      count: entries,
      detail: problemOf(issue),
      link: key === undefined ? '/issues' : `/issues/${encodeURIComponent(key)}`,
    })),
  ];
}

function pauseBlocker(reason: string): Blocker {
  return { kind: 'paused', count: 1, detail: message('readiness.paused', { reason }), link: null };
}

function driftBlocker(findings: readonly DriftFinding[]): Blocker {
  const [first] = findings;
  const named = first === undefined ? '' : first.name === null ? first.target : `${first.target} (${first.name})`;
  const count = findings.length;
  return { kind: 'drift', count, detail: message('readiness.drift', { count, named }), link: '/mapping' };
}

/** The daily check and the set-up check the same accounts: an open step has reported them already. */
function driftReportedBy(open: readonly SetupStep[]): (finding: DriftFinding) => boolean {
  const rulesAreReported = open.some(({ check }) => check === 'rules');
  const accountsAreReported = open.some(({ detail }) => detail.code.startsWith('setup.account.'));
  return ({ usedBy }) =>
    (accountsAreReported && usedBy.some((user) => user.startsWith('setting '))) ||
    (rulesAreReported && usedBy.some((user) => user.startsWith('rule ')));
}
