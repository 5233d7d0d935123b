// Two reasons why a run ends without a verdict although nothing failed; the third is `LeaseLost`.

/** A more urgent job of the company, a paused customer or a lost authorization ends the run; a later one resumes the job. */
export class RunEndedEarly extends Error {
  override readonly name = 'RunEndedEarly';
}

/** The platform ended the job without our verdict. */
export class JobClosed extends Error {
  override readonly name = 'JobClosed';
}
