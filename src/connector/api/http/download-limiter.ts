import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../../foundation/http/problem.js';
import type { InstallationId } from '../../../kernel/ids.js';

/** Each takes one of the process's twenty database connections again and again, until it is over. */
const MAX_CONCURRENT = 5;
const RETRY_AFTER_SECONDS = '30';

/** Keeps downloads and verifications of everything there is from taking a process's database connections. */
@Injectable()
export class DownloadLimiter {
  private readonly running = new Set<InstallationId>();

  /** @throws Problem 409 while the installation has one under way, 503 while there are as many as there may be */
  async withLimit<T>(installationId: InstallationId, work: () => Promise<T>): Promise<T> {
    this.acquire(installationId);
    try {
      return await work();
    } finally {
      this.running.delete(installationId);
    }
  }

  /**
   * As `during`, for what is read at the pace of whoever has asked.
   * @param open gives what is over when it closes, read to its end or not
   */
  limitStream(installationId: InstallationId, open: () => Readable): Readable {
    this.acquire(installationId);
    return open().once('close', () => {
      this.running.delete(installationId);
    });
  }

  private acquire(installationId: InstallationId): void {
    if (this.running.has(installationId)) {
      const detail =
        'A download or a verification of this installation is under way: try again when it is over.';
      throw refusal(409, 'already-under-way', detail);
    }
    if (this.running.size >= MAX_CONCURRENT) {
      throw refusal(503, 'busy', 'Others are downloading or verifying at the moment: try again soon.');
    }
    this.running.add(installationId);
  }
}

function refusal(status: number, type: string, detail: string): Problem {
  return new Problem({ status, type, detail, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
