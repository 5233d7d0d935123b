import { expect } from '@jest/globals';
import type { PostingGuarantee } from '../../../../../src/connector/erp/erp-ledger.js';
import { LookUpInDoubtPostings } from '../../../../../src/connector/exports/in-doubt/look-up-in-doubt-postings.js';
import type { FakeJob } from '../../../../support/platform/fake-platform.js';
import { ChangingEntry } from './changing-entry.js';
import type { ExportsHarness } from '../exports-harness.js';

const MINUTE_MS = 60_000;

export const LEVELS = {
  'permanent-key': { level: 'permanent-key' },
  'expiring-key': { level: 'expiring-key', keyLifeMs: 30 * MINUTE_MS },
  'searchable-reference': { level: 'searchable-reference', searchLagMs: MINUTE_MS },
  none: { level: 'none' },
} as const satisfies Readonly<Record<PostingGuarantee['level'], PostingGuarantee>>;

export type Level = keyof typeof LEVELS;

/** What a failed item says when its entry is, or may be, in the books. */
const KNOWN_OR_IN_DOUBT =
  /may be in the books|Whether it is in the books could not be asked|is in the books already|the books have it/;

/** One accounting entry of a tenant of its own, at an ERP of some level, in a time that passes for both at once. */
export class LeveledErp {
  private constructor(
    readonly exports: ExportsHarness,
    readonly entry: ChangingEntry,
  ) {}

  static async of(
    exports: ExportsHarness,
    level: Level,
    conflicts: 'fail' | 'reverse-and-repost' = 'fail',
  ): Promise<LeveledErp> {
    // What earlier tests have left open would be others that wait, and a worker then leaves after one job.
    await exports.admin.query(
      `UPDATE export_job SET next_run_at = now() + interval '1 day', version = version + 1
       WHERE state IN ('detected', 'running', 'verdict_decided')`,
    );
    const entry = await ChangingEntry.of(exports, { conflicts });
    exports.erp.guarantee = LEVELS[level];
    exports.erp.now = () => exports.clock.now().getTime();
    return new LeveledErp(exports, entry);
  }

  get erp() {
    return this.exports.erp;
  }

  /** On the clocks of the ERP, the platform and the worker, and on that of the database as far as it says when something was sent. */
  async passMinutes(minutes: number): Promise<void> {
    this.exports.clock.passMinutes(minutes);
    await this.exports.admin.query(
      `WITH due AS (
         UPDATE uncertain_posting SET look_up_at = look_up_at - $1 * interval '1 minute' WHERE installation_id = $2
       )
       UPDATE posting_intent SET first_sent_at = first_sent_at - $1 * interval '1 minute',
         sent_at = sent_at - $1 * interval '1 minute'
       WHERE installation_id = $2 AND state IN ('sent', 'uncertain')`,
      [minutes, this.entry.tenant.installationId],
    );
  }

  /** Lets workers try the job once a minute until it has ended. */
  async runToItsEnd(job: FakeJob): Promise<void> {
    for (let minute = 0; minute < 60 && job.status === 'in_progress'; minute += 1) {
      await this.passMinutes(1);
      await this.entry.processQueueAgain();
      this.expectHonesty(job);
    }
    expect(job.status).not.toBe('in_progress');
  }

  /** What later look-ups do once the job is over. */
  async settle(): Promise<void> {
    await this.exports.get(LookUpInDoubtPostings).lookUpDue(this.entry.tenant, new AbortController().signal);
  }

  /** Never two entries, and never a word that is not so about what is in the books. */
  expectHonesty(job: FakeJob): void {
    for (const [key, result] of job.results) {
      const standing = this.erp.standing(key);
      expect(standing).toBeLessThanOrEqual(1);
      if (result.status === 'successful') {
        expect([standing, result.externalId]).toEqual([1, this.erp.find(key)?.entries[0]?.id]);
      } else if (standing === 1) {
        expect(result.failureReason).toMatch(KNOWN_OR_IN_DOUBT);
      }
    }
  }

  /** State of the newest intent, and whether its effect came to light after its item had failed. */
  async intent(): Promise<readonly unknown[]> {
    const { rows } = await this.exports.admin.query<unknown[]>({
      text: `SELECT state, late_effect FROM posting_intent WHERE accounting_entry_id = $1 ORDER BY revision DESC LIMIT 1`,
      values: [this.entry.id],
      rowMode: 'array',
    });
    return rows[0] ?? [];
  }
}
