import { shape } from '../../../foundation/http/shape.js';
import { bodyOf, pageOf } from '../http/page.js';
import { code, decimalText, optionalCode, optionalFlag, text } from '../http/field.js';

export class TaxCodeDto extends shape({
  code: code(),
  /** The tax code's own identifier; the code when absent. */
  externalId: optionalCode(),
  name: text(),
  /** A share of 1: "0.25" is 25 %. */
  rate: decimalText('0.25'),
  inputAccountCode: optionalCode(),
  outputAccountCode: optionalCode(),
  /** Share of the input tax that can be reclaimed, 0 to 1. */
  deductible: decimalText('1').orElse(() => '1'),
  active: optionalFlag(true),
}) {}

export class TaxCodesDto extends bodyOf(TaxCodeDto, (taxCode) => taxCode.code) {}

export class TaxCodePage extends pageOf(TaxCodeDto) {}
