import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { longPage, pageOf } from '../http/page.dto.js';

export class InstallationsQuery extends shape({
  ...longPage,
  limit: input.digits({ minimum: 1, maximum: 1000, default: 100 }),
}) {}

export class InstallationResponse extends shape({
  id: field.uuid(),
  companyId: field.uuid(),
  companyName: field.text(),
  state: field.oneOf(['authorized', 'active', 'needs_reauthorization', 'uninstalled']),
  createdAt: field.instant(),
}) {}

export class FirstAdminCodeResponse extends shape({
  id: field.uuid('by which it is listed and revoked'),
  code: field.text('for the customer, who enters it in the settings'),
  expiresAt: field.instant(),
}) {}

export class FirstAdminCodeSummaryResponse extends shape({
  id: field.uuid(),
  madeBy: field.text('as in the audit log'),
  createdAt: field.instant(),
  expiresAt: field.instant(),
}) {}

export class FirstAdminCodesResponse extends shape({
  data: field.many(FirstAdminCodeSummaryResponse, 'newest first'),
}) {}

export class OperatorSessionResponse extends shape({
  name: field.text({ description: 'as in the audit log', example: 'operator anna' }),
}) {}

export class InstallationsResponse extends pageOf(InstallationResponse, 'newest first') {}
