import { MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { ACCOUNT_TYPES } from '../../bookkeeping/item/master-data.js';

const MAX_ENTRIES = 1_000;
export const TAX_CODE_TYPES = ['inclusive', 'reverse'] as const;
export const VENDOR_TYPES = ['supplier', 'employee'] as const;

export class ErpSearchQuery extends shape({
  search: input
    .text(
      { description: 'words that are all part of code or name; whatever their case and accents', example: 'travel' },
      MaxLength(100),
    )
    .optional(),
  limit: input.digits({ minimum: 1, maximum: MAX_ENTRIES, default: 50 }),
}) {}

export class ErpListQuery extends shapeWith(ErpSearchQuery, {
  active: input.oneOf(['true', 'false'], 'false: only those that are archived or blocked').optional(),
}) {}

export class ErpAccountsQuery extends shapeWith(ErpListQuery, {
  type: input.oneOf(ACCOUNT_TYPES, 'none has one where the accounting system does not tell').optional(),
}) {}

export class ErpTaxCodesQuery extends shapeWith(ErpListQuery, {
  type: input.oneOf(TAX_CODE_TYPES, 'none has one where the accounting system does not tell').optional(),
}) {}

export class ErpVendorsQuery extends shapeWith(ErpListQuery, {
  type: input.oneOf(VENDOR_TYPES).optional(),
}) {}

export class ErpValueResponse extends shape({
  code: field.text({ example: '6110' }),
  name: field.text({ example: 'Travel' }),
  active: field.flag('false: archived or blocked there, nothing is posted to it'),
}) {}

export class ErpAccountResponse extends shapeWith(ErpValueResponse, {
  type: field.oneOf(ACCOUNT_TYPES, 'null where the accounting system does not tell').nullable(),
  externalId: field.text('never changes while the account exists').nullable(),
}) {}

export class ErpTaxCodeResponse extends shapeWith(ErpValueResponse, {
  type: field.oneOf(TAX_CODE_TYPES, 'null where the accounting system does not tell').nullable(),
  rate: field.text({ description: 'decimal text of a share', example: '0.25' }),
}) {}

export class ErpVendorResponse extends shapeWith(ErpValueResponse, {
  type: field.oneOf(VENDOR_TYPES),
  externalId: field.text().nullable(),
  country: field.text({ description: 'ISO 3166 alpha-2', example: 'DK' }).nullable(),
  registrationNumber: field.text().nullable(),
  taxNumber: field.text().nullable(),
}) {}

export class LinkableErpCompanyResponse extends shape({
  id: field.text('`erpCompanyId` of PUT /api/v1/erp-company'),
  name: field.text(),
  registrationNumber: field.text().nullable(),
  isLinked: field.flag('this company’s entries are posted to it'),
}) {}

class FoundResponse extends shape({
  total: field.number({ description: 'of this filter, also beyond the limit', example: 214 }),
}) {}

export class ErpCompanyListResponse extends shapeWith(FoundResponse, {
  data: field.many(LinkableErpCompanyResponse),
}) {}

export class ErpAccountsResponse extends shapeWith(FoundResponse, {
  data: field.many(ErpAccountResponse),
}) {}

export class ErpTaxCodesResponse extends shapeWith(FoundResponse, {
  data: field.many(ErpTaxCodeResponse),
}) {}

export class ErpValuesResponse extends shapeWith(FoundResponse, {
  data: field.many(ErpValueResponse),
}) {}

export class ErpVendorsResponse extends shapeWith(FoundResponse, {
  data: field.many(ErpVendorResponse),
}) {}
