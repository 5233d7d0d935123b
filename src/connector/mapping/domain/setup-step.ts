import { message, type Message } from '../../../kernel/message.js';
import type { AccountProposal } from './account-proposals.js';
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
  readonly detail: Message;
  /** The route that resolves it; problems of the ERP are resolved there. */
  readonly resolvedBy: string | undefined;
  /** Of an account that is still to be chosen, once the chart is known. */
  readonly account?: AccountProposal;
} & Blocking;

/** The route that saves accounts and policies. */
export const SETTINGS_ROUTE = 'PUT /api/v1/settings';

interface StepTexts {
  /** Of `setup.<check>.<code>` when it is open; `open` by default. */
  readonly open?: string;
  /** The same when it is done; `done` by default. */
  readonly done?: string;
  readonly parameters?: Message['parameters'];
  readonly resolvedBy?: string;
}

/** A step that is done, or open and then resolved by a route. */
export function step(
  check: string,
  isDone: boolean,
  blocking: Blocking,
  { open = 'open', done = 'done', parameters, resolvedBy }: StepTexts,
): SetupStep {
  return {
    check,
    state: isDone ? 'done' : 'open',
    detail: message(`setup.${check}.${isDone ? done : open}`, parameters),
    resolvedBy: isDone ? undefined : resolvedBy,
    ...blocking,
  };
}
