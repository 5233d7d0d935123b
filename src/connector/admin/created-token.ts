import { Problem } from '../../foundation/http/problem.js';
import type { CreatedApiToken } from '../access/api-tokens.service.js';
import type { ApiTokenResponse } from './api-tokens.dto.js';

/** @throws Problem 403 for a token that could do more than its maker, 409 when there are too many */
export async function createdOrProblem(creating: Promise<CreatedApiToken>): Promise<ApiTokenResponse> {
  const created = await creating;
  switch (created.outcome) {
    case 'above-maker': {
      const detail = 'A token cannot do more than whoever makes it.';
      throw new Problem({ status: 403, type: 'forbidden', detail });
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
