import type { SeededIds } from './seeded-rows.js';

/** A place of a request where an id of an installation stands. */
export interface IdPosition {
  readonly of: keyof SeededIds;
  /** Looks like one, and does not exist. */
  readonly missing: string;
  readonly malformed: string;
  /** What is answered to an id that is missing, and in the same way to another installation's. */
  readonly missingStatus: number;
  readonly malformedStatus: number;
}

/** By its place: `path.<name>`, `query.<name>` or `body.<name>`. */
type IdPositions = Readonly<Record<string, IdPosition>>;

/** A request that a route accepts, and every place in it where an id stands. */
export interface RouteSample {
  readonly ids?: IdPositions;
  /** Parts of the path that are no ids. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** What the body has besides ids; unset: there is none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether the newest mapping version has to be named. */
  readonly ifMatch?: true;
  /** What is answered to a caller whose ids they are. */
  readonly own: number;
}

type Statuses = Partial<Pick<IdPosition, 'missingStatus' | 'malformedStatus'>>;

const NOT_FOUND = { missingStatus: 404, malformedStatus: 404 };

export const uuid = (of: keyof SeededIds, statuses: Statuses = {}): IdPosition => ({
  of,
  missing: 'e0000000-0000-4000-8000-000000000000',
  malformed: 'nonsense',
  ...NOT_FOUND,
  ...statuses,
});

/** Numbers within an installation: another's is one that the caller's own installation has not. */
export const number = (of: keyof SeededIds, statuses: Statuses = {}): IdPosition => ({
  ...uuid(of, statuses),
  missing: '999999',
});

/** A key that is no UUID. */
export const key = (of: keyof SeededIds, missing: string): IdPosition => ({ ...uuid(of), missing });

/** Of a filter: an unknown value gives an empty list. */
export const FILTER: Statuses = { missingStatus: 200, malformedStatus: 200 };
