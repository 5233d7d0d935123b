import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import type { Account, AccountUpdate, NewAccount } from './account.js';
import { AccountRepository } from './account.repository.js';

/** Creates an account, once for any number of equal requests (P4). */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly accountRepository: AccountRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @returns the account, and whether it is new
   * @throws ApiError 409 when another account has the `externalId`; 403 for a foreign company
   */
  async createAccount(
    caller: Caller,
    request: NewAccount,
  ): Promise<{ readonly account: Account; readonly isNew: boolean }> {
    companiesOf(caller, request.companyId);
    const fresh = freshAccount(request.companyId, request, this.simulatorClock.now());
    return this.database.inTransaction('create account', async (tx) => {
      const added = await this.accountRepository.add(tx, [fresh]);
      if (added.has(fresh.id)) {
        return { account: fresh, isNew: true };
      }
      const found = await this.accountRepository.findByExternalId(tx, fresh.companyId, fresh.externalId);
      if (found === undefined || !isDeepStrictEqual(contentOf(found), contentOf(fresh))) {
        throw new ApiError(
          409,
          'ACCOUNT_ALREADY_EXISTS',
          'Another account with the same externalId exists in this company.',
        );
      }
      return { account: found, isNew: false };
    });
  }
}

/** An account that is not stored yet. */
export function freshAccount(
  companyId: string,
  given: AccountUpdate & { readonly externalId: string },
  now: Date,
): Account {
  return {
    id: randomUUID(),
    companyId,
    externalId: given.externalId,
    accountingSystem: null,
    ...accountFields(given),
    createdAt: now,
    updatedAt: now,
  };
}

/** The fields that an update replaces; what is left out becomes null. */
export function accountFields(given: AccountUpdate) {
  const { name, archived, code = null, taxCodeExternalId = null, metadata = null } = given;
  return { name, archived, code, taxCodeExternalId, metadata };
}

function contentOf({ name, code, archived, taxCodeExternalId, metadata }: Account): object {
  return { name, code, archived, taxCodeExternalId, metadata };
}
