import { IsInt, IsTimeZone, Max, Min, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { currency, optionalCode, optionalCountry, text } from '../http/field.js';
import { pageOf } from '../http/page.js';
import type { Idempotency } from '../journal/domain/idempotency.js';

const MODES = ['forever', 'short', 'reference-only', 'none'] as const;

/** Of a company as it comes: what other fields are checked by. */
interface Offered {
  readonly idempotency?: unknown;
}

const isLagOfReferences = ValidateBy({
  name: 'lagOfReferences',
  validator: {
    validate: (value: unknown, about?: ValidationArguments) =>
      value === 0 || (about?.object as Offered | undefined)?.idempotency === 'reference-only',
    defaultMessage: () => 'searchLagSeconds needs idempotency "reference-only"',
  },
});

export class CompanyDto extends shape({
  name: text(),
  registrationNumber: optionalCode(),
  functionalCurrency: currency(),
  timeZone: input.of<string>({ type: String, example: 'Europe/Copenhagen' }, IsTimeZone()),
  country: optionalCountry(),
  /** What a posting key guarantees: a real ERP offers one of these. */
  idempotency: input.oneOf<Idempotency['mode']>(MODES, { default: 'forever' }),
  /** Life of a key in seconds; for the mode "short" only. */
  idempotencySeconds: input
    .of<number | null>({ type: Number, minimum: 1, nullable: true }, IsInt(), Min(1), Max(86_400))
    .optional(ValidateIf(({ idempotency }: Offered, seconds) => idempotency === 'short' || seconds != null)),
  /** Seconds after which a look-up by key shows a posting; for the mode "reference-only" only. */
  searchLagSeconds: input.integer({ minimum: 0, maximum: 3_600, default: 0 }, isLagOfReferences),
}) {}

export class StoredCompanyDto extends shapeWith(CompanyDto, {
  id: field.uuid(),
  revisions: field.of<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { accounts: '3', vendors: '17' },
    description: 'How often each list of master data has changed; a list without rows has none.',
  }),
}) {}

export class CompanyPage extends pageOf(StoredCompanyDto) {}
