import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { ROLES, type Role } from '../../access/domain/role.js';
import { LONGEST_LABEL, MOST_TOKEN_DAYS } from '../people/api-tokens.dto.js';
import { IsPlainText } from '../mapping/mapping.validators.js';
import { DifferenceActionRequest } from '../reconciliation/reconciliation.dto.js';

/** Every form brings the session's token, which the guard compares. */
export class BareForm {
  @IsString()
  @MaxLength(100)
  readonly csrf!: string;
}

export class DifferenceForm extends DifferenceActionRequest {
  @IsString()
  @MaxLength(100)
  readonly csrf!: string;
}

export class RoleForm extends BareForm {
  @IsIn(ROLES)
  readonly role!: Role;
}

export class ApiTokenForm extends BareForm {
  @IsIn(ROLES)
  readonly role!: Role;

  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(LONGEST_LABEL)
  readonly label!: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MOST_TOKEN_DAYS)
  readonly days!: number;
}
