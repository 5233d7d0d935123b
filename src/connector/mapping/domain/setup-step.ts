import type { ItemType } from './item-types.js';

/** `everything`: no item can be exported · `item-types`: some cannot · `nothing`: exports go well without it. */
type Blocking =
  | { readonly blocks: 'everything' | 'nothing' }
  | { readonly blocks: 'item-types'; readonly itemTypes: readonly ItemType[] };

export type SetupStep = {
  /** Stable, kebab-case. */
  readonly check: string;
  readonly state: 'done' | 'open' | 'not-known';
  /** What is the case, and what to do about it where it is not done. */
  readonly detail: string;
  /** The route that mends it; the ERP is mended in the ERP. */
  readonly resolvedBy: string | undefined;
} & Blocking;

/** The route that saves accounts and policies. */
export const SETTINGS_ROUTE = 'PUT /api/v1/settings';

/** A step that is done, or open and then mended by a route. */
export function step(
  check: string,
  isDone: boolean,
  blocking: Blocking,
  texts: { readonly done: string; readonly open: string; readonly resolvedBy?: string },
): SetupStep {
  const { done, open, resolvedBy } = texts;
  return {
    check,
    state: isDone ? 'done' : 'open',
    detail: isDone ? done : open,
    resolvedBy: isDone ? undefined : resolvedBy,
    ...blocking,
  };
}
