import { shape, shapeWith } from '../../../foundation/http/shape.js';
import { bodyOf, PageQuery, pageOf } from '../http/page.js';
import { currency, currencyFilter, day, decimalText, optionalDay } from '../http/field.js';

export class RateDto extends shape({
  from: currency(),
  to: currency(),
  date: day(),
  /** Main units of `to` per one main unit of `from`. */
  rate: decimalText('0.9123'),
}) {}

export class RatesDto extends bodyOf(RateDto, (rate) => JSON.stringify([rate.from, rate.to, rate.date])) {}

export class RateQuery extends shapeWith(PageQuery, {
  from: currencyFilter(),
  to: currencyFilter(),
  /** First day wanted. */
  since: optionalDay(),
  /** Last day wanted, included. */
  until: optionalDay(),
}) {}

export class RatePage extends pageOf(RateDto) {}
