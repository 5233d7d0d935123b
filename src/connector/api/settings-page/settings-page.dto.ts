import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { ROLES, type Role } from '../../access/domain/role.js';
import { MAX_LABEL_LENGTH, MAX_TOKEN_DAYS } from '../people/api-tokens.dto.js';
import { IsPlainText } from '../mapping/mapping.validators.js';
import { DiscrepancyActionRequest } from '../reconciliation/reconciliation.dto.js';

/** Every form carries the session's CSRF token, which the guard compares. */
export class CsrfForm {
  @IsString()
  @MaxLength(100)
  readonly csrf!: string;
}

export class DiscrepancyForm extends DiscrepancyActionRequest {
  @IsString()
  @MaxLength(100)
  readonly csrf!: string;
}

export class RoleForm extends CsrfForm {
  @IsIn(ROLES)
  readonly role!: Role;
}

export class FirstAdminForm extends CsrfForm {
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  readonly code!: string;
}

export class ApiTokenForm extends CsrfForm {
  @IsIn(ROLES)
  readonly role!: Role;

  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(MAX_LABEL_LENGTH)
  readonly label!: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_TOKEN_DAYS)
  readonly days!: number;
}
