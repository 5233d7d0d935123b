import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/** Who may call a route. `public` routes check their callers themselves or need no check. */
export type AccessRequirement = 'public' | 'viewer' | 'bookkeeper' | 'admin' | 'operator';

export const ACCESS = 'access-requirement';

/** Every route declares one; a route without is refused (deny by default, S3). */
export const Access = (requirement: AccessRequirement): CustomDecorator => SetMetadata(ACCESS, requirement);

export const FROM_OTHER_SITE = 'from-other-site';

/**
 * For an address that another site sends the browser to by itself (an authorization server after a sign-in). It only reads,
 * or what it does is bound to a secret in its query that no other site knows.
 */
export const FromOtherSite = (): MethodDecorator => SetMetadata(FROM_OTHER_SITE, true);
