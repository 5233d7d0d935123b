import { field, shape } from '../../../foundation/http/shape.js';
import { moneyOrNull } from '../http/money.dto.js';
import { pageOf } from '../http/page.dto.js';

export class CertifiedTotalResponse extends shape({
  currency: field.text({ example: 'EUR' }),
  debitMinor: field.text({ description: 'minor units', example: '12500' }),
  creditMinor: field.text({ description: 'minor units', example: '12500' }),
  debit: moneyOrNull(),
  credit: moneyOrNull(),
}) {}

export class CertifiedSideResponse extends shape({
  entries: field.number('journal entries'),
  totals: field.many(CertifiedTotalResponse, 'by currency'),
  digest: field.text('SHA-256 in hex; docs/certificates.md says of what'),
}) {}

export class CertifiedItemsResponse extends shape({
  announced: field.number('by the platform'),
  successful: field.number(),
  failed: field.number(),
  pending: field.number('without a result: the job ended before'),
}) {}

export class CertificateResponse extends shape({
  sequence: field.text({ description: 'from 1, without gaps', example: '1' }),
  exportJobId: field.uuid(),
  erpCompanyId: field.text().nullable(),
  jobState: field.text('how the job ended'),
  mappingVersion: field.number().nullable(),
  items: field.one(CertifiedItemsResponse),
  planned: field.one(CertifiedSideResponse, 'what the job was going to post'),
  erp: field.one(CertifiedSideResponse, 'what the ERP held of it; null where it cannot be searched').nullable(),
  discrepancies: field.number('open ones of the job when it was made'),
  madeAt: field.instant(),
  previousHash: field.text('of the certificate before').nullable(),
  hash: field.text('SHA-256 in hex over all of this and the hash before'),
}) {}

export class CertificatesResponse extends pageOf(CertificateResponse, 'in the order of the chain') {}
