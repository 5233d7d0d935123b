import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { problem } from '../http/problems.js';

/** Of the process: each uses one of its twenty database connections until it ends. */
const MAX_CONCURRENT = 5;
const RETRY_LATER = { headers: { 'retry-after': '30' } };

/** Limits concurrent downloads and verifications, which read whole tables, to one an installation and five a process. */
@Injectable()
export class DownloadLimiter {
  private readonly running = new Set<InstallationId>();

  /** @throws Problem 409 while one of the installation is under way, 503 while the process has five */
  async withLimit<T>(installationId: InstallationId, work: () => Promise<T>): Promise<T> {
    this.acquire(installationId);
    try {
      return await work();
    } finally {
      this.running.delete(installationId);
    }
  }

  /**
   * The same for a stream, which is read at the client's pace.
   * @param open the stream; the limit is released when it closes, whether it was read to its end or not
   */
  limitStream(installationId: InstallationId, open: () => Readable): Readable {
    this.acquire(installationId);
    return open().once('close', () => {
      this.running.delete(installationId);
    });
  }

  private acquire(installationId: InstallationId): void {
    if (this.running.has(installationId)) {
      const detail = message('problem.already-under-way.detail');
      throw problem('already-under-way', detail, RETRY_LATER);
    }
    if (this.running.size >= MAX_CONCURRENT) {
      throw problem('busy', message('problem.busy.detail'), RETRY_LATER);
    }
    this.running.add(installationId);
  }
}
