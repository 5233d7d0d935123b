// The code flow with PKCE as an application and a person in a browser go through it, at a simulator.
import { createHash, randomBytes } from 'node:crypto';
import { at, type Answer, type Platform } from './platform.js';

const REDIRECT_URI = 'http://localhost:3999/callback';
const SCOPE = 'export-jobs:read export-items:read';

/** The application that asks for access; registered whenever it asks. */
export const APPLICATION = { client_id: 'conformance', client_secret: 'a-secret-for-conformance' };

export interface Authorized {
  /** Of the last answer. */
  readonly status: number;
  /** The query the person's browser came back with; empty when it did not come back. */
  readonly callback: URLSearchParams;
  readonly companyId: string;
  readonly verifier: string;
}

export interface Connected {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: unknown;
  readonly companyId: string;
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Asks for access to a new company, and lets a person decide.
 * @param change of the query of the request
 */
export async function authorize(
  { sandbox }: Platform,
  change: Readonly<Record<string, string>> = {},
  person: { readonly decision?: 'approve' | 'deny'; readonly verifier?: string } = {},
): Promise<Authorized> {
  const { decision = 'approve', verifier = newVerifier() } = person;
  await sandbox.control('POST', '/clients', {
    clientId: APPLICATION.client_id,
    clientSecret: APPLICATION.client_secret,
    redirectUris: [REDIRECT_URI],
  });
  const companyId = await (await sandbox.customer()).companyId();
  const query = new URLSearchParams({
    client_id: APPLICATION.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  });
  const browser = new Browser(sandbox.url);
  let visit = await browser.open('GET', `/oauth/authorize?${query.toString()}`);
  if (visit.location?.includes('/interaction/') === true) {
    const form = new URLSearchParams({ company_id: companyId, decision });
    visit = await browser.open('POST', visit.location, form);
    visit = await browser.open('GET', visit.location ?? '');
  }
  const callback = visit.location === null ? new URLSearchParams() : new URL(visit.location).searchParams;
  return { status: visit.status, callback, companyId, verifier };
}

/** Exchanges the code of an authorization. @param change of the form */
export async function exchange(
  { sandbox }: Platform,
  { callback, verifier }: Authorized,
  change: Readonly<Record<string, string>> = {},
  secret: 'form' | 'basic' = 'form',
): Promise<Answer> {
  const { client_id: id, client_secret: password } = APPLICATION;
  const form = {
    grant_type: 'authorization_code',
    code: callback.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    ...(secret === 'form' ? APPLICATION : {}),
    ...change,
  };
  const basic = `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`;
  return sandbox.form('/oauth/token', form, secret === 'form' ? {} : { authorization: basic });
}

export async function refresh({ sandbox }: Platform, refreshToken: string): Promise<Answer> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...APPLICATION };
  return sandbox.form('/oauth/token', form);
}

/** The whole flow. @throws Error when it gives no tokens */
export async function connected(platform: Platform): Promise<Connected> {
  const authorized = await authorize(platform);
  const { body } = await exchange(platform, authorized);
  const accessToken = at(body, 'access_token');
  const refreshToken = at(body, 'refresh_token');
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') {
    throw new Error(`no tokens: ${JSON.stringify(body)}`);
  }
  return {
    accessToken,
    refreshToken,
    expiresIn: at(body, 'expires_in'),
    companyId: authorized.companyId,
  };
}

/** Keeps cookies and follows nothing by itself. */
class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  async open(method: string, address: string, form?: URLSearchParams) {
    const response = await fetch(new URL(address, this.url), {
      method,
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location') };
  }
}
