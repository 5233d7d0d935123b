import { Matches, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { shape } from '../../../foundation/http/shape.js';
import { APP_ADDRESS } from '../../access/connector-site.js';

export class AppSignInQuery extends shape({
  /** Path within the page, with its query. */
  to: input.text({}, MaxLength(500), Matches(APP_ADDRESS)).optional(),
  /** Whether the platform has to ask for the sign-in again. */
  again: input.oneOf(['true']).optional(),
}) {}
