import { IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { APP_ADDRESS } from '../../access/settings-site.service.js';

export class AppSignInQuery {
  /** Path within the page, with its query. */
  @OptionalField()
  @IsString()
  @MaxLength(500)
  @Matches(APP_ADDRESS)
  readonly to?: string;

  /** Whether the platform has to ask for the sign-in anew. */
  @OptionalField()
  @IsIn(['true'])
  readonly again?: 'true';
}
