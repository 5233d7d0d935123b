import type { ConnectorUnderTest } from '../../../support/connector-app.js';

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
