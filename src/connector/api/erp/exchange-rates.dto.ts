import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { MAX_RATES } from '../../erp-connections/domain/rate-table.js';

const MAX_FILE_LENGTH = 1_000_000;

export class ExchangeRatesRequest extends shape({
  csv: input.text({
    description: `CSV with the headings date, from, to, rate: how much of "to" one "from" is worth on that day; at most ${MAX_RATES.toString()} rates`,
    example: 'date,from,to,rate\n2026-03-02,USD,EUR,0.9123\n',
    maxLength: MAX_FILE_LENGTH,
  }),
}) {}

export class ExchangeRatesResponse extends shape({
  version: field.number({ description: 'grows with every upload; also the ETag', example: 3 }),
  inUse: field.flag('whether entries are converted with these: the connected accounting system has none'),
  numberOfRates: field.number({ minimum: 0, maximum: MAX_RATES }),
  from: field.day('first day with a rate').nullable(),
  to: field.day('last day with a rate').nullable(),
  csv: field.text('as it is uploaded: to be completed and uploaded again'),
  uploadedBy: field.text(),
  uploadedAt: field.instant(),
}) {}
