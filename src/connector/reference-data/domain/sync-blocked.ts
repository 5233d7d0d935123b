/** A person has to act before a run can complete. The message says how. */
export class SyncBlocked extends Error {
  override readonly name = 'SyncBlocked';
}
