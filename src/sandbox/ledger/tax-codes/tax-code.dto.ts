import { MAX_CODE_LENGTH, DecimalText, OptionalDecimalText, OptionalFlag, OptionalText, Text } from '../http/field.js';
import { bodyOf, pageOf } from '../http/page.js';

export class TaxCodeDto {
  @Text(MAX_CODE_LENGTH)
  readonly code!: string;

  /** The tax code's own identifier; the code when absent. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly externalId?: string | null;

  @Text()
  readonly name!: string;

  /** A share of 1: "0.25" is 25 %. */
  @DecimalText('0.25')
  readonly rate!: string;

  @OptionalText(MAX_CODE_LENGTH)
  readonly inputAccountCode?: string | null;

  @OptionalText(MAX_CODE_LENGTH)
  readonly outputAccountCode?: string | null;

  /** Share of the input tax that can be reclaimed, 0 to 1. */
  @OptionalDecimalText('1')
  readonly deductible: string = '1';

  @OptionalFlag(true)
  readonly active: boolean = true;
}

export class TaxCodesDto extends bodyOf(TaxCodeDto, (taxCode) => taxCode.code) {}

export class TaxCodePage extends pageOf(TaxCodeDto) {}
