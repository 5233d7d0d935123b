import { violatedConstraint } from '../../../foundation/database/database-error.js';
import { Problem } from '../../../foundation/http/problem.js';

/** Sentences for master data that breaks a rule of the schema. */
const SENTENCES: Readonly<Record<string, string>> = {
  tax_code_input_account_code_fk: 'A tax code names an input account that the company does not have.',
  tax_code_output_account_code_fk: 'A tax code names an output account that the company does not have.',
  vendor_payable_account_code_fk: 'A vendor names a payable account that the company does not have.',
  dimension_value_dimension_code_fk: 'A value names a dimension that the company does not have.',
  fiscal_period_overlap_ck: 'Two fiscal periods of the company overlap.',
  fiscal_period_ends_on_ck: 'A fiscal period ends before it starts.',
  fiscal_period_used_ck: 'Entries are dated in the period; it keeps its fiscal year and every day that has entries.',
  account_company_id_external_id_uq: 'Two accounts of the company would have the same externalId.',
  tax_code_company_id_external_id_uq: 'Two tax codes of the company would have the same externalId.',
  vendor_company_id_external_id_uq: 'Two vendors of the company would have the same externalId.',
  vendor_company_id_number_pk: 'The company already has a vendor with this number.',
  exchange_rate_currencies_ck: 'A rate needs two different currencies.',
  exchange_rate_rate_ck: 'A rate is greater than zero.',
  tax_code_deductible_ck: 'The deductible share lies between 0 and 1.',
};

/**
 * Awaits a write of master data.
 * @throws Problem 422 naming the rule when the data breaks one; other errors unchanged
 */
export async function mapConstraintErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const constraint = violatedConstraint(error);
    const detail = constraint === undefined ? undefined : SENTENCES[constraint];
    if (constraint === undefined || detail === undefined) {
      throw error;
    }
    throw new Problem({
      status: 422,
      type: 'rule-broken',
      detail,
      members: { rule: constraint },
      cause: error,
    });
  }
}
