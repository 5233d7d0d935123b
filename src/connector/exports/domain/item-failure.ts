import { message, type Message } from '../../../kernel/message.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import { englishText } from '../../messages/texts.js';

/** How an item fails, as the platform and the bookkeeper read it. */
export interface ItemFailure {
  readonly failureType: string;
  readonly failureReason: string;
  /** The reason in whole sentences, for readers of other languages; absent: it is known in English only. */
  readonly messages?: readonly Message[] | undefined;
  /** What has to be resolved; absent: the failure type is the issue. */
  readonly issues?: readonly Issue[] | undefined;
}

/** Why an item fails, as text for the platform and as messages. */
export type Reason = Pick<ItemFailure, 'failureReason' | 'messages'>;

/** A reason that is one message. */
export function reasonOf(only: Message): { readonly failureReason: string; readonly messages: readonly Message[] } {
  return { failureReason: englishText(only), messages: [only] };
}

/** Takes the place of reasons that are too old to be kept; the database allows no other change of a result. */
export const CLEARED_REASON = reasonOf(message('reason.cleared'));
