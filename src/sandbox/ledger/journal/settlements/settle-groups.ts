import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { SettlementPlan } from '../domain/settlements/plan-settlements.js';
import { bisectBatch } from '../postings/bisect-batch.js';
import { OpenItemRepository, type SettlingEntry } from './open-item.repository.js';
import { PostingRepository } from '../postings/posting.repository.js';
import { WarningRepository } from '../warning.repository.js';
import { SettleEntries, type ResettleOptions } from './settle-entries.js';

/**
 * `settled`: settled now or earlier, completely or as far as possible · `nothing-to-settle`: the counterpart of the key's
 * entries does not exist, or they have no settlement intent · `refused`: both items exist and cannot be settled
 */
export interface SettleOutcome {
  readonly key: string;
  readonly outcome: 'settled' | 'nothing-to-settle' | 'refused';
  readonly code?: string;
  readonly message?: string;
}

/** Carries out settlement intents that could not be carried out when their entries were posted. */
@Injectable()
export class SettleGroups {
  constructor(
    private readonly database: Database,
    private readonly postingRepository: PostingRepository,
    private readonly openItemRepository: OpenItemRepository,
    private readonly settleEntries: SettleEntries,
    private readonly warningRepository: WarningRepository,
  ) {}

  /**
   * @param keys different from each other
   * @returns one outcome per key, in order; repeating the call changes nothing
   */
  async settleGroups(
    companyId: string,
    keys: readonly string[],
    options: ResettleOptions,
  ): Promise<readonly SettleOutcome[]> {
    return bisectBatch(
      keys,
      (some) => this.database.inTransaction('journal.settle', (tx) => this.settleKeys(tx, companyId, some, options)),
      (key, rule) => {
        const message = `The books refused the settlement by their rule ${rule}.`;
        return { key, outcome: 'refused', code: 'rule_broken', message };
      },
    );
  }

  private async settleKeys(
    tx: Tx,
    companyId: string,
    keys: readonly string[],
    options: ResettleOptions,
  ): Promise<readonly SettleOutcome[]> {
    await this.postingRepository.lockCompany(tx, companyId);
    const settling = await this.openItemRepository.settling(tx, companyId, keys);
    const open = settling.filter(({ isOpen }) => isOpen).map(({ id }) => id);
    const plan = await this.settleEntries.plan(tx, companyId, open, options);
    await this.settleEntries.apply(tx, companyId, plan);
    const left = [...plan.warnings].flatMap(([groupId, warnings]) =>
      warnings.filter(({ code }) => code === 'partly-settled').map((warning) => ({ ...warning, groupId })),
    );
    await this.warningRepository.add(tx, companyId, left);
    const byKey = Map.groupBy(settling, ({ key }) => key);
    return keys.map((key) => ({ key, ...outcomeOf(byKey.get(key) ?? [], plan) }));
  }
}

function outcomeOf(entries: readonly SettlingEntry[], plan: SettlementPlan): Omit<SettleOutcome, 'key'> {
  const ids = new Set(entries.map(({ id }) => id));
  const blocked = plan.blocked.filter(({ entryIds }) => entryIds.some((id) => ids.has(id)));
  const [first] = blocked;
  if (first !== undefined) {
    const messages = new Set(blocked.map(({ warning }) => warning.message));
    return { outcome: 'refused', code: first.warning.code, message: [...messages].join(' ') };
  }
  const settled = new Set(plan.settled.flatMap(({ debit, credit }) => [debit.entryId, credit.entryId]));
  const waits = ({ id, isUntouched }: SettlingEntry) => isUntouched && !settled.has(id);
  return { outcome: entries.length === 0 || entries.some(waits) ? 'nothing-to-settle' : 'settled' };
}
