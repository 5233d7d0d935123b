import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Who may call a route. `public` routes check their callers themselves or need no check. */
export type AccessRequirement = 'public' | 'viewer' | 'bookkeeper' | 'admin' | 'operator';

export const ACCESS = 'access-requirement';

/** Of an operation in the OpenAPI document: who may call it. */
export const ACCESS_EXTENSION = 'x-access';

/** Every route declares one; a route without is refused (deny by default, S3). */
export const Access = (requirement: AccessRequirement): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ACCESS, requirement), ApiExtension(ACCESS_EXTENSION, requirement));

export const FROM_OTHER_SITE = 'from-other-site';

/**
 * For an address that another site sends the browser to by itself (an authorization server after a sign-in). It only reads,
 * or what it does is bound to a secret in its query that no other site knows.
 */
export const FromOtherSite = (): MethodDecorator => SetMetadata(FROM_OTHER_SITE, true);
