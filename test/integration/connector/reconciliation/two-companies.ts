// A company, another one beside it, and people of the first in each role who call the API.
import {
  createToken,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';

export type Role = 'viewer' | 'bookkeeper' | 'admin';

export interface TwoCompanies {
  readonly mine: StoredInstallation;
  readonly other: StoredInstallation;
  /** Of people of the first. */
  readonly tokens: Readonly<Record<Role, string>>;
}

export async function addTwoCompanies(connector: ConnectorUnderTest): Promise<TwoCompanies> {
  const mine = await storeInstallation(connector, 'Mine & <Sons>');
  const other = await storeInstallation(connector, 'Other');
  const tokens = {
    viewer: await createToken(connector, mine.id, 'viewer'),
    bookkeeper: await createToken(connector, mine.id, 'bookkeeper'),
    admin: await createToken(connector, mine.id, 'admin'),
  };
  return { mine, other, tokens };
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
