import { Body, Controller, Header, Headers, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { WithoutCredential } from '../access/access-rules.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { OAuthError } from '../wire/api-error.js';
import { AccessTokens } from './access-tokens.js';
import { AuthenticateClient, type ClientCredentials } from './authenticate-client.js';
import { AuthorizationServer } from './authorization-server.js';
import { PersonReader } from './person.reader.js';

const formSchema = z.object({
  token: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/** RFC 7662, for the client that got the token only (P3.1). The library does not introspect JWTs. */
@WithoutCredential()
@Controller('oauth/token/introspect')
export class IntrospectionController {
  constructor(
    private readonly authorizationServer: AuthorizationServer,
    private readonly authenticateClient: AuthenticateClient,
    private readonly accessTokens: AccessTokens,
    private readonly personReader: PersonReader,
    private readonly simulatorConfig: SimulatorConfig,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async introspect(
    @Headers('authorization') authorization: string | undefined,
    @Body() body: unknown,
  ): Promise<object> {
    const form = formOf(body);
    const clientId = await this.authenticateClient.authenticate(
      basicCredentials(authorization) ?? {
        clientId: form.client_id ?? '',
        clientSecret: form.client_secret ?? '',
      },
    );
    return (
      (await this.accessToken(form.token, clientId)) ??
      (await this.refreshToken(form.token, clientId)) ?? { active: false }
    );
  }

  private async accessToken(token: string, clientId: string): Promise<object | undefined> {
    const verified = this.accessTokens.verify(token);
    if (verified?.claims.client_id !== clientId) {
      return undefined;
    }
    const { subject_urn: subject, grant_id: grantId, scope, ...claims } = verified.claims;
    const standing = await this.authorizationServer.provider.Grant.find(grantId);
    const person = await this.personReader.find(claims.sub);
    return (
      standing && {
        active: true,
        ...claims,
        username: person?.name,
        email: person?.email,
        scope,
        token_type: 'at+JWT',
        [SUBJECT_URN]: subject,
      }
    );
  }

  private async refreshToken(token: string, clientId: string): Promise<object | undefined> {
    const found = await this.authorizationServer.provider.RefreshToken.find(token);
    const offset = this.simulatorClock.offsetSeconds;
    return found?.isValid === true && found.clientId === clientId
      ? {
          active: true,
          sub: found.accountId,
          client_id: clientId,
          iss: this.simulatorConfig.publicUrl,
          jti: found.jti,
          iat: found.iat + offset,
          exp: Number(found.exp) + offset,
          scope: found.scope,
        }
      : undefined;
  }
}

const SUBJECT_URN = 'urn:platform:params:oauth:subject_urn';

function formOf(body: unknown): z.output<typeof formSchema> {
  const parsed = formSchema.safeParse(body);
  if (!parsed.success) {
    throw new OAuthError(400, 'invalid_request', 'The form needs a token.');
  }
  return parsed.data;
}

function basicCredentials(header: string | undefined): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  const [id, secret] = encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString().split(':');
  return id === undefined || secret === undefined
    ? undefined
    : { clientId: formDecoded(id), clientSecret: formDecoded(secret) };
}

/** Both halves are form-encoded before Base64 (RFC 6749 §2.3.1). */
function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? text;
}
