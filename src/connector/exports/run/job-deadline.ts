import type { ExportJob } from '../domain/export-job.js';

/** The end of one job by the platform's clock, as last confirmed by the platform. It may move during a run. */
export class JobDeadline {
  constructor(private confirmed: Date) {}

  get expiresAt(): Date {
    return this.confirmed;
  }

  /** @param expiresAt as the platform has stated it, never as we expect it to move */
  confirm(expiresAt: Date): void {
    this.confirmed = expiresAt;
  }

  /** @returns the job with an `expiresAt` that is read from this deadline each time; a spread copy keeps that of its moment */
  withLiveDeadline(job: ExportJob): ExportJob {
    const current = () => this.confirmed;
    return {
      ...job,
      get expiresAt() {
        return current();
      },
    };
  }
}
