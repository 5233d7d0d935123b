import type { Message } from '../../../kernel/message.js';

/** A person has to act before a run can complete. */
export class SyncBlocked extends Error {
  override readonly name = 'SyncBlocked';

  /** @param advice what that person has to do */
  constructor(readonly advice: Message) {
    super(advice.code);
  }
}
