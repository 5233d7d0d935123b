/** The run ended at a point from which another worker can go on: the process stops, or other runs wait. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
}

const POSTPONED_SECONDS = 20;

/** The run cannot go on now and nothing has failed: an export of the company is running, or the ERP's search lags behind. */
export class RunPostponed extends Error {
  override readonly name = 'RunPostponed';

  /** @param seconds until the next attempt */
  constructor(
    message: string,
    readonly seconds = POSTPONED_SECONDS,
  ) {
    super(message);
  }
}
