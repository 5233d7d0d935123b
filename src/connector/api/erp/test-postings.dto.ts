import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { MessageResponse } from '../../messages/message.dto.js';

export class TestPostingRequestBody extends shape({
  debit: input.text({ description: 'code or id of the account that is debited', minLength: 1, maxLength: 100 }),
  credit: input.text({ description: 'code or id of the account that is credited', minLength: 1, maxLength: 100 }),
}) {}

export class TestPostingResponse extends shape({
  id: field.uuid('its reference in the accounting system'),
  state: field.oneOf(
    ['sent', 'taken-back', 'draft', 'refused', 'left'],
    'sent: not finished, the connector goes on by itself · taken-back: posted and reversed · draft: a draft that stays · refused: nothing was posted · left: it stands, reverse it there',
  ),
  works: field.flag('whether it proves that the accounting system takes postings'),
  result: field.one(MessageResponse),
  documentNumber: field.text('number of the entry in the accounting system').nullable(),
  documentUrl: field.text().nullable(),
  erpCompanyId: field.text(),
  debit: field.text(),
  credit: field.text(),
  requestedBy: field.text(),
  requestedAt: field.instant(),
}) {}
