// The code flow with PKCE as an application and a person in a browser go through it: at a simulator with a person of our own, at a
// real platform with what a person has approved there.
import { createHash, randomBytes } from 'node:crypto';
import { at, type PlatformResponse, type Application, type Platform } from './platform.js';

const SCOPE = 'export-jobs:read export-items:read';
/** The application in a simulator; registered whenever it asks. */
const OF_SANDBOX = { clientId: 'conformance', clientSecret: 'a-secret-for-conformance' };
const REDIRECT_URI = 'http://localhost:3999/callback';

export interface Authorized {
  /** Of the last answer. */
  readonly status: number;
  /** The query the person's browser came back with; empty when it did not come back. */
  readonly callback: URLSearchParams;
  readonly companyId: string;
  readonly verifier: string;
}

/** A code that was never given, with a verifier it might have had. */
export const NO_CODE: Pick<Authorized, 'callback' | 'verifier'> = {
  callback: new URLSearchParams({ code: 'nonsense' }),
  verifier: 'x'.repeat(43),
};

export interface Connected {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: unknown;
  readonly companyId: string;
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** The address that asks a person for access. @param change of its query */
export function authorizeAddress(
  { url, clientId, redirectUri }: Application,
  verifier: string,
  change: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  });
  return `${url}/oauth/authorize?${query.toString()}`;
}

/** The application we are; a simulator learns of it first. */
export async function applicationOf(platform: Platform): Promise<Application> {
  const { application, url } = platform.address;
  if (application !== undefined) {
    return application;
  }
  await platform.sandbox.control('POST', '/clients', { ...OF_SANDBOX, redirectUris: [REDIRECT_URI] });
  return { ...OF_SANDBOX, url, redirectUri: REDIRECT_URI };
}

/** Asks for access as a browser does, and follows nothing. @param change of the query */
export async function requested(
  platform: Platform,
  change: Readonly<Record<string, string>>,
): Promise<Pick<Authorized, 'status' | 'callback'>> {
  const application = await applicationOf(platform);
  const visit = await new Browser(application.url).open('GET', authorizeAddress(application, newVerifier(), change));
  return { status: visit.status, callback: callbackOf(visit.location) };
}

/**
 * Asks for access to a new company of a simulator, and lets a person decide.
 * @param change of the query of the request
 */
export async function authorize(
  platform: Platform,
  change: Readonly<Record<string, string>> = {},
  person: { readonly decision?: 'approve' | 'deny'; readonly verifier?: string } = {},
): Promise<Authorized> {
  const { decision = 'approve', verifier = newVerifier() } = person;
  const application = await applicationOf(platform);
  const companyId = await (await platform.sandbox.customer()).companyId();
  const browser = new Browser(application.url);
  let visit = await browser.open('GET', authorizeAddress(application, verifier, change));
  if (visit.location?.includes('/interaction/') === true) {
    const form = new URLSearchParams({ company_id: companyId, decision });
    visit = await browser.open('POST', visit.location, form);
    visit = await browser.open('GET', visit.location ?? '');
  }
  return { status: visit.status, callback: callbackOf(visit.location), companyId, verifier };
}

/** Posts a form to the authorization server. @param secret where the application's secret goes; unset: nowhere */
export async function sendForm(
  platform: Platform,
  path: string,
  fields: Readonly<Record<string, string>>,
  secret?: 'form' | 'basic',
): Promise<PlatformResponse> {
  const { url, clientId, clientSecret } = await applicationOf(platform);
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const inForm = secret === 'form' ? { client_id: clientId, client_secret: clientSecret } : {};
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: secret === 'basic' ? { authorization: basic } : {},
    body: new URLSearchParams({ ...inForm, ...fields }),
  });
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** Exchanges the code of an authorization. @param change of the form */
export async function exchange(
  platform: Platform,
  { callback, verifier }: Pick<Authorized, 'callback' | 'verifier'>,
  change: Readonly<Record<string, string>> = {},
  secret: 'form' | 'basic' = 'form',
): Promise<PlatformResponse> {
  const { redirectUri } = await applicationOf(platform);
  const form = {
    grant_type: 'authorization_code',
    code: callback.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...change,
  };
  return sendForm(platform, '/oauth/token', form, secret);
}

export async function refresh(platform: Platform, refreshToken: string): Promise<PlatformResponse> {
  return sendForm(platform, '/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }, 'form');
}

/** The newest refresh token of what was approved, by application: each is good for one use. */
const newest = new WeakMap<Application, string>();

/** The whole flow; at a real platform from what was approved there. @throws Error when it gives no tokens */
export async function connected(platform: Platform): Promise<Connected> {
  const { application } = platform.address;
  const authorized = application === undefined ? await authorize(platform) : undefined;
  const { body } =
    application === undefined
      ? await exchange(platform, authorized ?? NO_CODE)
      : await fromApproval(platform, application);
  const accessToken = at(body, 'access_token');
  const refreshToken = at(body, 'refresh_token');
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') {
    throw new Error(`no tokens: ${JSON.stringify(body)}`);
  }
  storeRefreshToken(platform, refreshToken);
  const companyId = authorized?.companyId ?? (await platform.companyId());
  return { accessToken, refreshToken, expiresIn: at(body, 'expires_in'), companyId };
}

/** Records that a newer refresh token has been given. */
export function storeRefreshToken({ address }: Platform, refreshToken: unknown): void {
  if (address.application !== undefined && typeof refreshToken === 'string') {
    newest.set(address.application, refreshToken);
  }
}

async function fromApproval(platform: Platform, application: Application): Promise<PlatformResponse> {
  const { approved } = application;
  if (approved === undefined) {
    throw new Error('nothing was approved');
  }
  const kept = newest.get(application) ?? ('refreshToken' in approved ? approved.refreshToken : undefined);
  if (kept !== undefined || !('code' in approved)) {
    return refresh(platform, kept ?? '');
  }
  const callback = new URLSearchParams({ code: approved.code });
  return exchange(platform, { callback, verifier: approved.verifier });
}

function callbackOf(location: string | null): URLSearchParams {
  return location === null || !URL.canParse(location) ? new URLSearchParams() : new URL(location).searchParams;
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
