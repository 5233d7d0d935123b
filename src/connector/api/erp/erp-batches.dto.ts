import { field, shape } from '../../../foundation/http/shape.js';
import { pageOf } from '../http/page.dto.js';

export class ErpBatchResponse extends shape({
  number: field.number({ minimum: 1, description: 'without gaps' }),
  fileName: field.text(),
  entries: field.number('accounting entries in it'),
  receipts: field.number({ minimum: 0, description: 'receipts behind them, given out beside the file' }),
  sha256: field.text('SHA-256 of the file in hex: the same at each download'),
  closedAt: field.instantText(),
}) {}

export class ErpBatchPage extends pageOf(ErpBatchResponse) {}

export class ClosedErpBatchesResponse extends shape({
  data: field.many(ErpBatchResponse, 'oldest first; empty when no entry was waiting'),
}) {}
