import { Problem } from '../../../foundation/http/problem.js';
import type { CreatedApiToken } from '../../access/create-api-token.js';
import type { ApiTokenResponse } from './api-tokens.dto.js';

/**
 * @throws Problem 401 when the token it was to be made with was revoked meanwhile, 403 for a token that could do more than its
 * maker, 404 for an installation that is not there (any more), 409 when there are too many
 */
export async function createdTokenOrThrow(creating: Promise<CreatedApiToken>): Promise<ApiTokenResponse> {
  const created = await creating;
  switch (created.outcome) {
    case 'above-maker': {
      const detail = 'A token cannot do more than whoever makes it.';
      throw new Problem({ status: 403, type: 'forbidden', detail });
    }
    case 'not-installed':
      throw installationNotFound();
    case 'maker-revoked': {
      const detail = 'The API token of this request was revoked meanwhile.';
      throw new Problem({ status: 401, type: 'not-authenticated', detail });
    }
    case 'too-many': {
      const detail = `There are ${created.most.toString()} API tokens already: revoke one first.`;
      throw new Problem({ status: 409, type: 'too-many-tokens', detail });
    }
    case 'created': {
      const { id, token, role, expiresAt } = created;
      return { id, token, role, expiresAt };
    }
  }
}

export function installationNotFound(): Problem {
  return new Problem({ status: 404, type: 'not-found', detail: 'There is no such installation.' });
}
