import { expect } from '@jest/globals';
import type { Method } from '../api/admin-routes.js';
import type { SeededIds } from '../isolation/seeded-rows.js';
import type { ReviewTenant } from '../review/review-harness.js';

/** Who acts, and what there is to act on. */
export interface Scene {
  readonly tenant: ReviewTenant;
  readonly ids: SeededIds;
}

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

/** Row by row: object, its id, what happened to it, before, after. */
export type Expected = readonly (readonly [
  object: string,
  id: unknown,
  action: string,
  before: unknown,
  after: unknown,
])[];

/** Something a person does, and every entry that it leaves in the audit log. */
export type AuditedAction = readonly [name: string, call: (of: Scene) => Call, expected: (of: Scene) => Expected];

export const anId: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const aTime: unknown = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
export const aToken: unknown = expect.stringMatching(/^token [0-9a-f-]{36}$/);

/** Of the mapping version that was read. */
export const seen = ({ ids }: Scene) => ({ 'if-match': `"${ids.mappingVersion}"` });
