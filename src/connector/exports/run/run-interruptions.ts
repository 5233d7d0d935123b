// Why a run ends without a verdict although nothing failed. A lost lease is the third reason.

/** Another job of the company has to run first; a later run resumes this one. */
export class Preempted extends Error {
  override readonly name = 'Preempted';
}

/** The platform has ended the job, and not by our verdict. */
export class JobClosed extends Error {
  override readonly name = 'JobClosed';
}
