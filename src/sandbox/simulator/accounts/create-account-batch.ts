import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { isStorable } from '../wire/request-fields.js';
import { MAX_TEXT_LENGTH, type Account, type AccountBatchItem } from './account.js';
import { AccountRepository } from './account.repository.js';
import { freshAccount } from './create-account.js';
import { batchReasons, type BatchReason } from './domain/batch-reasons.js';

interface FailedItem {
  readonly request: AccountBatchItem;
  readonly reasons: readonly BatchReason[];
}

/** Creates many accounts; each fails alone, with its reasons (P4). */
@Injectable()
export class CreateAccountBatch {
  constructor(
    private readonly accountRepository: AccountRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @param items 1 to 1,000; of two with one `externalId` the first counts
   * @throws ApiError 403 for a foreign company
   */
  async createBatch(
    caller: Caller,
    companyId: string,
    items: readonly AccountBatchItem[],
  ): Promise<{ readonly created: readonly Account[]; readonly failed: readonly FailedItem[] }> {
    companiesOf(caller, companyId);
    const now = this.simulatorClock.now();
    const checked = items.map((request) => {
      const reasons = batchReasons(request, MAX_TEXT_LENGTH, isStorable);
      const fresh = reasons.length === 0 ? freshAccount(companyId, request, now) : undefined;
      return { request, reasons, fresh };
    });
    const candidates = checked.flatMap(({ fresh }) => fresh ?? []);
    const added = await this.database.inTransaction('create accounts', async (tx) => {
      // Two batches with the same keys in another order would wait for each other in a circle.
      await this.companyRepository.serialize(tx, companyId);
      return this.accountRepository.add(tx, candidates);
    });
    return {
      created: candidates.filter(({ id }) => added.has(id)),
      failed: checked
        .filter(({ fresh }) => fresh === undefined || !added.has(fresh.id))
        .map(({ request, reasons, fresh }) => ({
          request,
          reasons: fresh === undefined ? reasons : ['EXTERNAL_ID_ALREADY_EXISTS'],
        })),
    };
  }
}
