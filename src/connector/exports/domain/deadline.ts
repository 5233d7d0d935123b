const MINUTE_MS = 60_000;
const LAST_WRITE_MS = 10 * MINUTE_MS;
const EXPIRED_AFTER_MS = MINUTE_MS;

/**
 * What may still be done for a job (spec: reliability §0, "Time budget of one job"). `post`: everything · `report`: no
 * new ERP write may start, what is left is reported as failed and the verdict is sent · `over`: the platform has
 * closed the job.
 * @param expiresAt end of the job, by the platform's clock
 * @param platformNow time by the same clock
 */
export function budgetAt(expiresAt: Date, platformNow: Date): 'post' | 'report' | 'over' {
  const left = expiresAt.getTime() - platformNow.getTime();
  if (left < -EXPIRED_AFTER_MS) {
    return 'over';
  }
  return left > LAST_WRITE_MS ? 'post' : 'report';
}
