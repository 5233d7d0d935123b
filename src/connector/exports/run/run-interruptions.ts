// Two reasons why a run ends without a verdict although nothing failed; the third is `LeaseLost`.

/** Another job of the company has to run first; a later run resumes this one. */
export class Preempted extends Error {
  override readonly name = 'Preempted';
}

/** The platform has ended the job otherwise than by our verdict. */
export class JobClosed extends Error {
  override readonly name = 'JobClosed';
}
