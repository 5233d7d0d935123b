import { SetMetadata } from '@nestjs/common';

export const SCOPE = 'platform:scope';

/**
 * The scope a handler needs (P3.2). Handlers without it need a valid credential only.
 * @param scopes spellings of one scope, of which the credential has any (P12, "scopes naming")
 */
export const RequiresScope = (...scopes: readonly string[]) => SetMetadata(SCOPE, scopes);
