import { ApiProperty } from '@nestjs/swagger';
import { currencyDigits } from '../../../kernel/currency.js';

/** An amount as every answer of the API writes it: exact, whatever the reader's locale. */
export class MoneyResponse {
  @ApiProperty({ description: 'whole number of minor units, as text', example: '6250000' })
  readonly amountMinor!: string;
  @ApiProperty({ description: 'ISO 4217', example: 'EUR' }) readonly currency!: string;
  @ApiProperty({ description: 'digits of the minor unit: 2 for EUR, 0 for JPY', example: 2 })
  readonly exponent!: number;
}

/** Of a field that may have no amount. */
export const MONEY_OR_NULL = { type: MoneyResponse, nullable: true } as const;

/** @returns null where amount or currency is unknown */
export function moneyOf(minor: bigint | string | null | undefined, currency: string | null | undefined) {
  const exponent = currency == null ? undefined : currencyDigits(currency);
  return minor == null || currency == null || exponent === undefined
    ? null
    : { amountMinor: minor.toString(), currency, exponent };
}
