import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { parseDecimal } from '../../../kernel/decimal.js';
import { Bug } from '../../../kernel/faults.js';
import type { Caller } from '../access/caller.js';
import { notFound } from '../wire/api-error.js';
import { taxBreakdown } from './domain/tax-breakdown.js';
import type { TaxCalculation, TaxCode } from './tax-code.js';
import { TaxCodeRepository } from './tax-code.repository.js';

type TaxedAmount = TaxCalculation['amountsByTaxCodeId'][string][number];

/** Splits amounts into net and tax (P5, "calculate"). */
@Injectable()
export class CalculateTax {
  constructor(
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly database: Database,
  ) {}

  /**
   * @returns the `taxes` object: breakdowns by tax code, in the order of the amounts
   * @throws ApiError 404 when a tax code is not the caller's
   */
  async calculate(caller: Caller, { amountsByTaxCodeId }: TaxCalculation): Promise<object> {
    const ids = Object.keys(amountsByTaxCodeId);
    const found = await this.database.inTransaction('find tax codes', (tx) =>
      this.taxCodeRepository.findByIds(tx, ids),
    );
    const own = new Map(
      found.filter(({ companyId }) => caller.companyIds.includes(companyId)).map((each) => [each.id, each]),
    );
    return Object.fromEntries(
      Object.entries(amountsByTaxCodeId).map(([id, amounts]) => {
        const taxCode = own.get(id);
        if (taxCode === undefined) {
          throw notFound('TAX_CODE_NOT_FOUND', `Tax code not found: ${id}`);
        }
        return [id, amounts.map((amount) => breakdownWire(taxCode, amount))];
      }),
    );
  }
}

function breakdownWire({ type, rate }: TaxCode, { id, amount }: TaxedAmount): object {
  const share = parseDecimal(rate);
  if (share === undefined) {
    throw new Bug(`a rate that is no number: ${rate}`);
  }
  const { gross, net, tax } = taxBreakdown(type, share, BigInt(amount.minors));
  const money = (minors: bigint) => ({ currency: amount.currency, minors: Number(minors) });
  return { id, amountTaxBreakdown: { gross: money(gross), net: money(net), tax: money(tax) } };
}
