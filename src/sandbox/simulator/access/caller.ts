import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Bug } from '../../../kernel/faults.js';
import { ApiError } from '../wire/api-error.js';

/** The caller of the Integration API, as the credential of the request says. */
export interface Caller {
  readonly authMethod: 'OAUTH2' | 'API_KEY';
  readonly applicationId: string;
  readonly applicationName: string;
  readonly clientId: string;
  /** URN of the company or organization the credential was issued for. */
  readonly resource: string;
  readonly scopes: readonly string[];
  /** The company, or all companies of the organization. */
  readonly companyIds: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of the Integration API. */
    caller?: Caller;
  }
}

/** Also of a caller whose installation is deleted while the request runs. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'UNAUTHORIZED', 'The access token or API key is missing, expired or revoked.', {
    'www-authenticate': 'Bearer error="invalid_token"',
  });
}

/** The caller, as a parameter of a handler that the guard protects. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === undefined) {
    throw new Bug('a handler needs the caller but no guard has set it');
  }
  return caller;
});

/**
 * The companies a request is about.
 * @param companyId the `company_id` parameter; without it all companies of the credential
 * @throws ApiError 403 when the credential is not for that company
 */
export function companiesOf(caller: Caller, companyId: string | undefined): readonly string[] {
  if (companyId === undefined) {
    return caller.companyIds;
  }
  if (!caller.companyIds.includes(companyId)) {
    throw new ApiError(403, 'FORBIDDEN', 'The credential gives no access to this company.');
  }
  return [companyId];
}
