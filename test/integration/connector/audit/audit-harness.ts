import { OPERATOR_TOKEN, type ConnectorUnderTest, type StoredInstallation } from '../../../support/connector-app.js';
import type { Role } from '../api/admin-routes.js';

export interface AuditApiResponse {
  readonly status: number;
  readonly requestId: string;
  readonly json: unknown;
}

export async function read({ app }: ConnectorUnderTest, url: string, token: string): Promise<AuditApiResponse> {
  const answer = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
  return {
    status: answer.statusCode,
    requestId: String(answer.headers['x-request-id']),
    json: answer.json<unknown>(),
  };
}

/** A token that the operator makes. */
export async function apiTokenOf(
  { app }: ConnectorUnderTest,
  installation: StoredInstallation,
  role: Role,
): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/operator/installations/${installation.id}/api-tokens`,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    payload: { role, label: 'test', days: 1 },
  });
  return answer.json<{ token: string }>().token;
}
