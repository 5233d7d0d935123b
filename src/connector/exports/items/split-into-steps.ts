// The items of a run in steps. A run whose earlier workers have died takes small ones, each alone in its process, and notes which item it
// works on where there is only one: two deaths at the same item then show what kills the workers (H18).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toAccountingEntryId } from '../../../kernel/ids.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import type { JobRun } from '../run/job-run.js';
import { CompanyLeaseRepository, type CompanyLease } from '../stores/company-lease.repository.js';
import { fencedOnce } from '../stores/fenced.js';
import { goesCarefully, nextStep } from './careful-steps.js';
import { unlessAborted, type Stage } from './read-ahead.js';

@Injectable()
export class SplitIntoSteps {
  /** Resolves when no careful step of this process is under way. */
  private lastStep: Promise<void> = Promise.resolve();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
  ) {}

  /**
   * @param pages of items, each at least one
   * @returns the same as steps; a careful one ends when the next one is asked for: then it has to be recorded
   * @throws LeaseLost; the signal's reason
   */
  async *split(run: Pick<JobRun, 'lease' | 'signal'>, pages: Stage<readonly ChunkItem[]>): Stage<readonly ChunkItem[]> {
    const { lease, signal } = run;
    if (!goesCarefully(lease)) {
      yield* pages;
      return;
    }
    let done = 0;
    let hasSuspect = false;
    try {
      for await (const page of pages) {
        for (let left = page; left.length > 0;) {
          const step = nextStep(left, done, lease);
          left = left.slice(step.length);
          done += step.length;
          const end = await this.beginStep(signal);
          try {
            hasSuspect = await this.noteSuspect(lease, step, hasSuspect);
            yield step;
          } finally {
            end();
          }
        }
      }
    } finally {
      await this.noteSuspect(lease, [], hasSuspect);
    }
  }

  /** Waits until the steps before it have ended: a process has one death, which must not count for items of several companies. */
  private async beginStep(signal: AbortSignal): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = () => {
      resolve(undefined);
    };
    const before = this.lastStep;
    this.lastStep = before.then(() => promise);
    try {
      await unlessAborted(before, signal);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /** @returns whether there is one now */
  private async noteSuspect(
    lease: CompanyLease,
    [item, ...others]: readonly ChunkItem[],
    hasSuspect: boolean,
  ): Promise<boolean> {
    const suspect = others.length === 0 ? item : undefined;
    if (suspect !== undefined) {
      const id = toAccountingEntryId(suspect.accountingEntryId);
      await fencedOnce(this.tenantDatabase, 'note suspect', lease, (tx) =>
        this.companyLeaseRepository.suspectItem(tx, lease, id),
      );
    } else if (hasSuspect) {
      await fencedOnce(this.tenantDatabase, 'clear suspect', lease, (tx) =>
        this.companyLeaseRepository.clearSuspect(tx, lease),
      );
    }
    return suspect !== undefined;
  }
}
