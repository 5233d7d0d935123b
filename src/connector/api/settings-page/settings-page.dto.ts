import { Type } from 'class-transformer';
import { IsInt, IsNotEmpty, Max, MaxLength, Min } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { shape, shapeWith } from '../../../foundation/http/shape.js';
import { ROLES } from '../../access/domain/role.js';
import { MAX_LABEL_LENGTH, MAX_TOKEN_DAYS } from '../people/api-tokens.dto.js';
import { IsPlainText } from '../mapping/mapping.validators.js';
import { DiscrepancyActionRequest } from '../reconciliation/reconciliation.dto.js';

/** Every form carries the session's CSRF token, which the guard compares. */
export class CsrfForm extends shape({
  csrf: input.text({}, MaxLength(100)),
}) {}

export class DiscrepancyForm extends shapeWith(DiscrepancyActionRequest, {
  csrf: input.text({}, MaxLength(100)),
}) {}

export class RoleForm extends shapeWith(CsrfForm, {
  role: input.oneOf(ROLES),
}) {}

export class FirstAdminForm extends shapeWith(CsrfForm, {
  code: input.text({}, IsNotEmpty(), MaxLength(500)),
}) {}

export class ApiTokenForm extends shapeWith(CsrfForm, {
  role: input.oneOf(ROLES),
  label: input.text({}, IsNotEmpty(), IsPlainText(), MaxLength(MAX_LABEL_LENGTH)),
  days: input.of<number>(
    { type: Number },
    Type(() => Number),
    IsInt(),
    Min(1),
    Max(MAX_TOKEN_DAYS),
  ),
}) {}
