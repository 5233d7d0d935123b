import type { Role } from '../../../../src/connector/access/domain/role.js';
import { createToken, type ConnectorUnderTest, type StoredInstallation } from '../../../support/connector-app.js';

export interface PageAnswer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** @returns what reads below `/api/v1` with a token of that installation */
export async function viewerOf(
  connector: ConnectorUnderTest,
  installation: StoredInstallation,
): Promise<(path: string) => Promise<PageAnswer>> {
  const ask = await callerOf(connector, installation, 'viewer');
  return async (path) => ask('GET', path);
}

/** @returns what calls below `/api/v1` with a token of that role */
export async function callerOf(
  connector: ConnectorUnderTest,
  installation: StoredInstallation,
  role: Role,
): Promise<(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<PageAnswer>> {
  const headers = { authorization: `Bearer ${await createToken(connector, installation.id, role)}` };
  return async (method, path, body) => {
    const url = `/api/v1${path}`;
    const answer = await connector.app.inject({ method, url, headers, ...(body && { payload: body }) });
    return { status: answer.statusCode, json: answer.body === '' ? {} : answer.json<Record<string, unknown>>() };
  };
}
