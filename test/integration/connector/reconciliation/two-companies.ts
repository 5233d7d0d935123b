// A company, another one beside it, and people of the first in each role who call the API.
import {
  createTokens,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';

export interface TwoCompanies {
  readonly mine: StoredInstallation;
  readonly other: StoredInstallation;
  /** Of people of the first. */
  readonly tokens: Awaited<ReturnType<typeof createTokens>>;
}

export async function addTwoCompanies(connector: ConnectorUnderTest): Promise<TwoCompanies> {
  const mine = await storeInstallation(connector, 'Mine & <Sons>');
  const other = await storeInstallation(connector, 'Other');
  return { mine, other, tokens: await createTokens(connector, mine.id) };
}

/** @returns a function that calls a route with a token, and gives the response with its body parsed where it is JSON */
export function callerOf(connector: ConnectorUnderTest) {
  return async (method: 'GET' | 'POST' | 'PUT', url: string, token: string, payload?: object) => {
    const answer = await connector.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload === undefined ? {} : { payload }),
    });
    const type = String(answer.headers['content-type']);
    const json: unknown = type.includes('json') ? JSON.parse(answer.body) : undefined;
    return { status: answer.statusCode, type, json, body: answer.body };
  };
}
