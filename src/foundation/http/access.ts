import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/** Who may call a route. `public` routes check their callers themselves or need no check. */
export type AccessRequirement = 'public' | 'viewer' | 'bookkeeper' | 'admin' | 'operator';

export const ACCESS = 'access-requirement';

/** Every route declares one; a route without is refused (deny by default, S3). */
export const Access = (requirement: AccessRequirement): CustomDecorator => SetMetadata(ACCESS, requirement);
