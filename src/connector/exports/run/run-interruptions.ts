// Why a run ends before its job has a verdict of ours, where nothing has failed. A lost lease is the third reason.

/** Another job of the company has to come first; a later run goes on with this one. */
export class Preempted extends Error {
  override readonly name = 'MadeWay';
}

/** The platform says the job is over, and not because of what we are telling it. */
export class JobClosed extends Error {
  override readonly name = 'JobClosed';
}
