import type { ExportJob } from '../domain/export-job.js';

/** The end of one job, by the platform's clock, as the platform has last said it. It may grow in the middle of a run. */
export class JobDeadline {
  constructor(private confirmed: Date) {}

  get expiresAt(): Date {
    return this.confirmed;
  }

  /** @param expiresAt as the platform itself has given it: an end that we only expect would be a false hope */
  confirm(expiresAt: Date): void {
    this.confirmed = expiresAt;
  }

  /** @returns the job as it is, but for its end, which is this one at every moment it is read */
  of(job: ExportJob): ExportJob {
    const current = () => this.confirmed;
    return {
      ...job,
      get expiresAt() {
        return current();
      },
    };
  }
}
