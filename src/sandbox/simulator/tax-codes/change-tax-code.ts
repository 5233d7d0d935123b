import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import type { TaxCode, TaxCodeRequest } from './tax-code.js';
import { TaxCodeRepository } from './tax-code.repository.js';

/** Creates, reads, changes and deletes tax codes (P5). Two may have the same code. */
@Injectable()
export class ChangeTaxCode {
  constructor(
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 403 for a foreign company */
  async create(caller: Caller, request: TaxCodeRequest): Promise<TaxCode> {
    companiesOf(caller, request.companyId);
    const now = this.simulatorClock.now();
    const fresh = {
      id: randomUUID(),
      companyId: request.companyId,
      ...taxCodeFields(request),
      accountingIntegrationSystem: null,
      createdAt: now,
      updatedAt: now,
    };
    await this.database.inTransaction('create tax code', (tx) => this.taxCodeRepository.add(tx, [fresh]));
    return fresh;
  }

  /** @throws ApiError 404 for a tax code that is not the caller's */
  async find(caller: Caller, id: string): Promise<TaxCode> {
    return this.database.inTransaction('find tax code', (tx) => this.lockTaxCode(tx, caller.companyIds, id));
  }

  /** @throws ApiError 404 for a tax code that is not of that company; 403 for a foreign company */
  async update(caller: Caller, id: string, request: TaxCodeRequest): Promise<TaxCode> {
    const companyIds = companiesOf(caller, request.companyId);
    return this.database.inTransaction('update tax code', async (tx) => {
      const taxCode = await this.lockTaxCode(tx, companyIds, id);
      const changed = { ...taxCode, ...taxCodeFields(request), updatedAt: this.simulatorClock.now() };
      await this.taxCodeRepository.change(tx, changed);
      return changed;
    });
  }

  /** @throws ApiError 404 */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.database.inTransaction('delete tax code', async (tx) => {
      const taxCode = await this.lockTaxCode(tx, caller.companyIds, id);
      await this.taxCodeRepository.remove(tx, [taxCode.id]);
    });
  }

  private async lockTaxCode(tx: Tx, companyIds: readonly string[], id: string): Promise<TaxCode> {
    const taxCode = await this.taxCodeRepository.findForUpdate(tx, companyIds, parseUuid('taxCodeId', id));
    if (taxCode === undefined) {
      throw notFound('TAX_CODE_NOT_FOUND', 'Tax code not found.');
    }
    return taxCode;
  }
}

/** The fields that an update replaces; those left out become null. */
function taxCodeFields(request: TaxCodeRequest) {
  const { name, code = null, type, archived, ingoingTaxAccount = null, outgoingTaxAccount = null } = request;
  return { name, code, rate: request.rate.toString(), type, archived, ingoingTaxAccount, outgoingTaxAccount };
}
