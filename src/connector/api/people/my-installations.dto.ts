import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { ROLES } from '../../access/domain/role.js';
import { MoneyResponse } from '../http/money.dto.js';

export class MyInstallationResponse extends shape({
  installationId: field.uuid(),
  companyName: field.text({ example: 'Example ApS' }),
  role: field.oneOf(ROLES),
  current: field.flag('whether it is the one of this request'),
  connection: field.oneOf(['authorized', 'active', 'needs_reauthorization'], 'of the connection to the platform'),
  needsAttention: field.number({ description: 'open issues, postings in doubt and discrepancies', example: 3 }),
  failedEntries: field.number({ description: 'entries that open issues block', example: 12 }),
  amounts: field.many(MoneyResponse, 'what open issues hold back, by currency'),
}) {}

export class MyInstallationsResponse extends shape({
  data: field.many(MyInstallationResponse, 'by name, at most 50'),
}) {}

export class SwitchInstallationRequest extends shape({
  installationId: input.uuid(),
}) {}
