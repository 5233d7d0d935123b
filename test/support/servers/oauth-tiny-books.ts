// Tiny Books behind an authorization server of its own: code flow with PKCE, refresh tokens that rotate, and a grant that ends
// when one of them is used twice. With it the browser of a person who consents there.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider';
import { startTinyBooks, type TinyBooks } from '../tiny-books/tiny-books-server.js';

export const OAUTH_CLIENT = { id: 'connector-at-tiny-books', secret: 'secret-of-the-connector-at-tiny-books' };

type Answer = 'given' | 'lost' | Promise<unknown>;

export class OAuthTinyBooks {
  /** Bodies of the requests to the token endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];
  /** Every token that was given out. */
  readonly tokens: string[] = [];
  private readonly grantIds: string[] = [];
  private readonly refused = new Set<string>();
  private answers: Answer[] = [];

  private constructor(
    readonly signInAt: string,
    private readonly provider: Provider,
    private readonly server: ReturnType<typeof createServer>,
    private books: TinyBooks | undefined,
  ) {}

  /** @param redirectUri as the connector is registered with */
  static async start(redirectUri: string): Promise<OAuthTinyBooks> {
    let serve: (request: IncomingMessage, response: ServerResponse) => Promise<void> = () => Promise.resolve();
    const server = createServer((request, response) => void serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port.toString()}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: OAUTH_CLIENT.id,
          client_secret: OAUTH_CLIENT.secret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      adapter: Records,
      jwks: { keys: [{ ...signingKey(), use: 'sig', alg: 'ES256' }] },
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      cookies: { keys: ['of-the-tests'] },
      scopes: ['books', 'offline_access'],
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: () => true,
      expiresWithSession: () => false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { AccessToken: 3_600, RefreshToken: 86_400, Grant: 86_400, Session: 3_600, Interaction: 600 },
      findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    });
    const started = new OAuthTinyBooks(issuer, provider, server, undefined);
    provider.use((context, next) => started.answerAsPlanned(context as KoaContextWithOIDC, next));
    serve = (request, response) => started.serve(request, response);
    started.books = await startTinyBooks(async ({ headers }) => started.isAllowed(headers.authorization ?? ''));
    return started;
  }

  get url(): string {
    return this.books?.url ?? '';
  }

  get refreshes(): readonly (string | null)[] {
    return this.tokenRequests.flatMap((form) =>
      form.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : [],
    );
  }

  /** What becomes of the next answers of the token endpoint: lost after the effect, or held back until a promise is kept. */
  planAnswers(...answers: readonly Answer[]): void {
    this.answers = [...answers];
  }

  /** The ERP does not take the access tokens of now any more, and says so with 401. */
  refuseAccessTokens(): void {
    this.tokens.forEach((token) => this.refused.add(token));
  }

  /** The person withdraws the consent at the ERP. */
  async revokeGrants(): Promise<void> {
    for (const id of this.grantIds.splice(0)) {
      await (await this.provider.Grant.find(id))?.destroy();
    }
  }

  /**
   * The person's browser goes to the sign-in and consents.
   * @returns path and query that the browser is sent back to
   */
  async consent(signInUrl: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = new URL(signInUrl);
    while (url.origin === this.signInAt) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) {
        throw new Error(`no way on from ${url.pathname}: ${response.status.toString()} ${await response.text()}`);
      }
      url = new URL(location, url);
    }
    return url.pathname + url.search;
  }

  async stop(): Promise<void> {
    await this.books?.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async isAllowed(authorization: string): Promise<boolean> {
    const [, token = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
    return !this.refused.has(token) && (await this.provider.AccessToken.find(token)) !== undefined;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/interaction/') === true) {
      await this.giveConsent(request, response);
      return;
    }
    await this.provider.callback()(request, response);
  }

  private async answerAsPlanned(context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    await next();
    if (context.path === '/token') {
      const { access_token: access, refresh_token: refresh } = context.body as Readonly<Record<string, string>>;
      this.tokenRequests.push(new URLSearchParams(context.oidc.body as Record<string, string>));
      this.tokens.push(...[access, refresh].filter((token) => token !== undefined));
      const answer = this.answers.shift() ?? 'given';
      if (answer === 'lost') {
        context.respond = false;
        context.res.destroy();
      } else {
        await answer;
      }
    }
  }

  private async giveConsent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await this.provider.interactionDetails(request, response);
    const grant = new this.provider.Grant({ accountId: 'somebody', clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    const grantId = await grant.save();
    this.grantIds.push(grantId);
    const result = { login: { accountId: 'somebody' }, consent: { grantId } };
    await this.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

/** What the authorization server remembers, of one model. */
class Records implements Adapter {
  private readonly records = new Map<string, AdapterPayload>();

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.records.set(id, payload);
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.records.get(id));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve([...this.records.values()].find((record) => record.uid === uid));
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  consume(id: string): Promise<void> {
    Object.assign(this.records.get(id) ?? {}, { consumed: true });
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.records.delete(id);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, record] of this.records) {
      if (record.grantId === grantId) {
        this.records.delete(id);
      }
    }
    return Promise.resolve();
  }
}

function signingKey(): object {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}
