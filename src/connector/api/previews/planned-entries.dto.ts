import { field, shape } from '../../../foundation/http/shape.js';
import type { PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import { moneyOf, moneyOrNull } from '../http/money.dto.js';

export class DecisionResponse extends shape({
  by: field.oneOf(
    ['rule', 'identifier', 'code', 'fallback', 'contra-account', 'tax-account', 'tax-code', 'vendor', 'setting'],
    'what chose it',
  ),
  ruleId: field.text('of a rule').optional(),
  setting: field.text('of a setting: its name').optional(),
}) {}

export class PlannedCodeResponse extends shape({
  id: field.text('in the ERP').optional(),
  code: field.text({ example: '6420' }),
  decision: field.one(DecisionResponse, 'absent where it was found in the ERP').optional(),
}) {}

export class PlannedDimensionResponse extends shape({
  dimension: field.text({ example: 'CC' }),
  value: field.text({ example: '120' }),
  decision: field.one(DecisionResponse).optional(),
}) {}

export class PlannedTaxResponse extends shape({
  place: field.oneOf(['input', 'output', 'expense'], 'what the line is in a tax return'),
  reverseCharge: field.flag(),
  rate: field.text('0.25 is 25 %').optional(),
  deductible: field.text('share of the tax that is deducted, from 0 to 1'),
  taxableMinor: field.text('minor units of the entry’s currency'),
  taxableBaseMinor: field.text('minor units of the functional currency'),
  taxMinor: field.text('before the share, minor units of the entry’s currency'),
  taxBaseMinor: field.text('the same in minor units of the functional currency'),
}) {}

export class PlannedLineResponse extends shape({
  source: field.number('line of the item, from 1; absent on what balances the entry').optional(),
  account: field.one(PlannedCodeResponse),
  amountMinor: field.text({ description: 'minor units of the entry’s currency, debit positive', example: '12500' }),
  baseMinor: field.text('the same in minor units of the functional currency').optional(),
  money: moneyOrNull({ description: 'debit positive' }),
  baseMoney: moneyOrNull({ description: 'the same in the functional currency' }),
  vendor: field.one(PlannedCodeResponse).optional(),
  employee: field.text('code of the employee, or the platform’s id of a person without one').optional(),
  taxCode: field.one(PlannedCodeResponse).optional(),
  tax: field.one(PlannedTaxResponse).optional(),
  dimensions: field.many(PlannedDimensionResponse).optional(),
}) {}

export class PlannedSettlementResponse extends shape({
  kind: field.oneOf(['within', 'settles', 'reopens'], 'what it does to open items of the vendor'),
  vendor: field.one(PlannedCodeResponse).optional(),
  numbers: field.texts().optional(),
  currency: field.text({ example: 'EUR' }).optional(),
  amountMinor: field.text('minor units of `currency`').optional(),
  realizedFx: field.one(PlannedCodeResponse, 'where a difference in base goes').optional(),
}) {}

/** A journal entry as it was or would be posted. */
export class PlannedEntryResponse extends shape({
  role: field.oneOf(['entry', 'invoice', 'payment', 'credit-note', 'receipt']),
  part: field.number('from 1, of an entry that the ERP takes in parts only').optional(),
  state: field.oneOf(['draft', 'posted']),
  postingDate: field.day(),
  originalDate: field.day('from which a closed period has moved the posting').optional(),
  documentDate: field.day().optional(),
  dueDate: field.day().optional(),
  documentNumber: field.text().optional(),
  currency: field.text({ example: 'EUR' }),
  functionalCurrency: field.text({ example: 'EUR' }).optional(),
  rate: field.text('functional main units for one main unit of `currency`').optional(),
  lines: field.many(PlannedLineResponse),
  description: field.text().optional(),
  reference: field.text().optional(),
  settlement: field.one(PlannedSettlementResponse).optional(),
  mappingVersion: field.number({ example: 12 }).optional(),
}) {}

/** What is recorded of an entry besides, for the connector alone. */
const KEPT: Record<keyof Pick<PlannedEntry, 'information' | 'plannerVersion'>, undefined> = {
  information: undefined,
  plannerVersion: undefined,
};

/** @param entries as they are recorded: amounts in minor units, as texts */
export function toPlannedEntries(entries: readonly unknown[]): readonly PlannedEntryResponse[] {
  return (entries as readonly PlannedEntryResponse[]).map((entry) => {
    const lines = entry.lines.map((line) => {
      const money = moneyOf(line.amountMinor, entry.currency);
      return Object.assign({}, line, { money, baseMoney: moneyOf(line.baseMinor, entry.functionalCurrency) });
    });
    return Object.assign({}, entry, { lines }, KEPT);
  });
}
