// What every route that takes an API key answers.
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { Problem } from '../../../foundation/http/problem.js';
import type { KeyConnection } from '../../installations/connect/connect-with-api-key.js';
import { InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';
import type { ApiKeyConnectionResponse } from './connection.dto.js';

/** @throws Problem 422, 409 or 503 for a key that does not connect the company */
export async function connectionOrThrow(
  connecting: Promise<KeyConnection>,
): Promise<ApiKeyConnectionResponse> {
  const result = await connecting.catch((error: unknown) => {
    throw isPlatformError(error) ? platformUnusable(error) : error;
  });
  switch (result.outcome) {
    case 'connected':
      return { installationId: result.installationId, companyName: result.companyName };
    case 'key-refused':
      throw invalidKey('api-key-refused', 'The platform does not accept this API key.');
    case 'missing-scopes':
      throw invalidKey('missing-scopes', `The API key lacks the scopes ${result.scopes.join(', ')}.`);
    case 'choose-company': {
      const companies = result.companies.slice(0, 100).map(({ id, name }) => ({ id, name }));
      const detail = 'The API key is for several companies: say which one with "companyId".';
      throw new Problem({ status: 422, type: 'company-needed', detail, members: { companies } });
    }
    case 'other-company':
      throw conflict('other-company', 'The API key is not for this company. Nothing was changed.');
    case 'company-taken':
      throw conflict(
        'company-taken',
        'Another organization has connected this company. Nothing was changed.',
      );
  }
}

function isPlatformError(error: unknown): boolean {
  return (
    error instanceof NoResponse ||
    error instanceof InvalidPlatformResponse ||
    error instanceof PlatformRefusal
  );
}

function platformUnusable(cause: unknown): Problem {
  return new Problem({
    status: 503,
    type: 'platform-unavailable',
    detail: 'The platform cannot be asked at the moment. Nothing was changed; try again.',
    headers: { 'retry-after': '30' },
    cause,
  });
}

function invalidKey(type: string, detail: string): Problem {
  return new Problem({ status: 422, type, detail, errors: [{ pointer: '/apiKey', detail }] });
}

function conflict(type: string, detail: string): Problem {
  return new Problem({ status: 409, type, detail });
}
