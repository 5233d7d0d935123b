import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { TaxCodeRepository } from '../tax-codes/tax-code.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import type { Account, AccountUpdate } from './account.js';
import { AccountRepository } from './account.repository.js';
import { accountFields } from './create-account.js';

/** Reads, changes and deletes an account (P4). */
@Injectable()
export class ChangeAccount {
  constructor(
    private readonly accountRepository: AccountRepository,
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 404 for an account that is not the caller's */
  async find(caller: Caller, id: string): Promise<Account> {
    return this.database.inTransaction('find account', (tx) => this.lockAccount(tx, caller, id));
  }

  /** @throws ApiError 404; 400 when the company has no tax code under `taxCodeExternalId` */
  async update(caller: Caller, id: string, update: AccountUpdate): Promise<Account> {
    return this.database.inTransaction('update account', async (tx) => {
      const account = await this.lockAccount(tx, caller, id);
      const { taxCodeExternalId } = update;
      if (
        taxCodeExternalId != null &&
        !(await this.taxCodeRepository.hasCode(tx, account.companyId, taxCodeExternalId))
      ) {
        throw new ApiError(
          400,
          'VALIDATION_FAILED',
          `taxCodeExternalId: no tax code with the code ${taxCodeExternalId} exists in this company.`,
        );
      }
      const changed = { ...account, ...accountFields(update), updatedAt: this.simulatorClock.now() };
      await this.accountRepository.change(tx, changed);
      return changed;
    });
  }

  /** @throws ApiError 404; 409 when accounting entries name the account */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.database.inTransaction('delete account', async (tx) => {
      const account = await this.lockAccount(tx, caller, id);
      if (await this.accountRepository.isLinked(tx, account)) {
        throw new ApiError(
          409,
          'ACCOUNT_LINKED_TO_ACCOUNTING_ENTRIES',
          'The account is linked to accounting entries and cannot be deleted. Archive it instead.',
        );
      }
      await this.accountRepository.remove(tx, [account.id]);
    });
  }

  private async lockAccount(tx: Tx, caller: Caller, id: string): Promise<Account> {
    const account = await this.accountRepository.findForUpdate(tx, caller.companyIds, parseUuid('accountId', id));
    if (account === undefined) {
      throw notFound('ACCOUNT_NOT_FOUND', 'Account not found.');
    }
    return account;
  }
}
