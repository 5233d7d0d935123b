import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MONEY_OR_NULL, moneyOf, type MoneyResponse } from '../http/money.dto.js';

export class DecisionResponse {
  @ApiProperty({
    enum: ['rule', 'identifier', 'code', 'fallback', 'contra-account', 'tax-account', 'tax-code', 'vendor', 'setting'],
    description: 'what chose it',
  })
  readonly by!: string;
  @ApiPropertyOptional({ description: 'of a rule' }) readonly ruleId?: string;
  @ApiPropertyOptional({ description: 'of a setting: its name' }) readonly setting?: string;
}

export class PlannedCodeResponse {
  @ApiPropertyOptional({ description: 'in the ERP' }) readonly id?: string;
  @ApiProperty({ example: '6420' }) readonly code!: string;
  @ApiPropertyOptional({ type: DecisionResponse, description: 'absent where it was found in the ERP' })
  readonly decision?: DecisionResponse;
}

export class PlannedDimensionResponse {
  @ApiProperty({ example: 'CC' }) readonly dimension!: string;
  @ApiProperty({ example: '120' }) readonly value!: string;
  @ApiPropertyOptional({ type: DecisionResponse }) readonly decision?: DecisionResponse;
}

export class PlannedTaxResponse {
  @ApiProperty({ enum: ['input', 'output', 'expense'], description: 'what the line is in a tax return' })
  readonly place!: string;
  @ApiProperty() readonly reverseCharge!: boolean;
  @ApiPropertyOptional({ description: '0.25 is 25 %' }) readonly rate?: string;
  @ApiProperty({ description: 'share of the tax that is deducted, from 0 to 1' }) readonly deductible!: string;
  @ApiProperty({ description: 'minor units of the entry’s currency' }) readonly taxableMinor!: string;
  @ApiProperty({ description: 'minor units of the functional currency' }) readonly taxableBaseMinor!: string;
  @ApiProperty({ description: 'before the share, minor units of the entry’s currency' }) readonly taxMinor!: string;
  @ApiProperty({ description: 'the same in minor units of the functional currency' }) readonly taxBaseMinor!: string;
}

export class PlannedLineResponse {
  @ApiPropertyOptional({ description: 'line of the item, from 1; absent on what balances the entry' })
  readonly source?: number;
  @ApiProperty({ type: PlannedCodeResponse }) readonly account!: PlannedCodeResponse;
  @ApiProperty({ description: 'minor units of the entry’s currency, debit positive', example: '12500' })
  readonly amountMinor!: string;
  @ApiPropertyOptional({ description: 'the same in minor units of the functional currency' })
  readonly baseMinor?: string;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'debit positive' }) readonly money!: MoneyResponse | null;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'the same in the functional currency' })
  readonly baseMoney!: MoneyResponse | null;
  @ApiPropertyOptional({ type: PlannedCodeResponse }) readonly vendor?: PlannedCodeResponse;
  @ApiPropertyOptional({ description: 'code of the employee, or the platform’s id of a person without one' })
  readonly employee?: string;
  @ApiPropertyOptional({ type: PlannedCodeResponse }) readonly taxCode?: PlannedCodeResponse;
  @ApiPropertyOptional({ type: PlannedTaxResponse }) readonly tax?: PlannedTaxResponse;
  @ApiPropertyOptional({ type: [PlannedDimensionResponse] })
  readonly dimensions?: readonly PlannedDimensionResponse[];
}

export class PlannedSettlementResponse {
  @ApiProperty({ enum: ['within', 'settles', 'reopens'], description: 'what it does to open items of the vendor' })
  readonly kind!: string;
  @ApiPropertyOptional({ type: PlannedCodeResponse }) readonly vendor?: PlannedCodeResponse;
  @ApiPropertyOptional({ type: [String] }) readonly numbers?: readonly string[];
  @ApiPropertyOptional({ example: 'EUR' }) readonly currency?: string;
  @ApiPropertyOptional({ description: 'minor units of `currency`' }) readonly amountMinor?: string;
  @ApiPropertyOptional({ type: PlannedCodeResponse, description: 'where a difference in base goes' })
  readonly realizedFx?: PlannedCodeResponse;
}

/** A journal entry as it was or would be posted. */
export class PlannedEntryResponse {
  @ApiProperty({ enum: ['entry', 'invoice', 'payment', 'credit-note', 'receipt'] }) readonly role!: string;
  @ApiPropertyOptional({ description: 'from 1, of an entry that the ERP takes in parts only' })
  readonly part?: number;
  @ApiProperty({ enum: ['draft', 'posted'] }) readonly state!: string;
  @ApiProperty({ format: 'date' }) readonly postingDate!: string;
  @ApiPropertyOptional({ format: 'date', description: 'from which a closed period has moved the posting' })
  readonly originalDate?: string;
  @ApiPropertyOptional({ format: 'date' }) readonly documentDate?: string;
  @ApiPropertyOptional({ format: 'date' }) readonly dueDate?: string;
  @ApiPropertyOptional() readonly documentNumber?: string;
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiPropertyOptional({ example: 'EUR' }) readonly functionalCurrency?: string;
  @ApiPropertyOptional({ description: 'functional main units for one main unit of `currency`' })
  readonly rate?: string;
  @ApiProperty({ type: [PlannedLineResponse] }) readonly lines!: readonly PlannedLineResponse[];
  @ApiPropertyOptional() readonly description?: string;
  @ApiPropertyOptional() readonly reference?: string;
  @ApiPropertyOptional({ type: PlannedSettlementResponse }) readonly settlement?: PlannedSettlementResponse;
  @ApiPropertyOptional({ example: 12 }) readonly mappingVersion?: number;
}

/** @param entries as they are recorded: amounts in minor units, as texts */
export function toPlannedEntries(entries: readonly unknown[]): readonly PlannedEntryResponse[] {
  return (entries as readonly PlannedEntryResponse[]).map((entry) => {
    const lines = entry.lines.map((line) => {
      const money = moneyOf(line.amountMinor, entry.currency);
      return Object.assign({}, line, { money, baseMoney: moneyOf(line.baseMinor, entry.functionalCurrency) });
    });
    return Object.assign({}, entry, { lines });
  });
}
