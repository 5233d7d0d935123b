import type { Message } from '../../../kernel/message.js';

/** A person has to act before a run can complete. */
export class SyncBlocked extends Error {
  override readonly name = 'SyncBlocked';

  /** @param told how, for that person */
  constructor(readonly told: Message) {
    super(told.code);
  }
}
