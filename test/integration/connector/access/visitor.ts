// A person's browser before the connector's app: it keeps cookies, and goes to the platform and back.
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ConnectHarness, Reply } from '../installations/connect-harness.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(private readonly app: NestFastifyApplication) {}

  async call(
    method: Method,
    url: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object | string } = {},
  ): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.app.inject({
      method,
      url,
      headers: { ...(cookie === '' ? {} : { cookie }), ...options.headers },
      ...(options.body === undefined ? {} : { payload: options.body }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0(;|$)/.test(line)) {
        this.cookies.delete(name);
      } else {
        this.cookies.set(name, value);
      }
    }
    const text = answer.body;
    return {
      status: answer.statusCode,
      json: text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined,
      text,
      bytes: answer.rawPayload,
      headers: answer.headers,
    };
  }

  get session(): string | undefined {
    return this.cookies.get('connector_session');
  }
}

/** A sign-in, on the way to the platform. @returns the state the platform brings back */
export async function beginSignIn(visitor: Visitor): Promise<string> {
  const { headers } = await visitor.call('GET', '/app/sign-in');
  return new URL(String(headers['location'])).searchParams.get('state') ?? '';
}

/** The scripted platform sends the browser back. */
export async function returnFromPlatform(visitor: Visitor, state: string): Promise<Reply> {
  const query = new URLSearchParams({ code: 'the-code', state });
  return visitor.call('GET', `/oauth/callback?${query.toString()}`);
}

/** Signs a visitor in to a company, or to whatever `resource` is. */
export async function signIn(
  harness: ConnectHarness,
  resource: string,
  person: { readonly sub: string; readonly username?: string },
): Promise<Visitor> {
  const visitor = new Visitor(harness.connector.app);
  harness.platform.resource = resource;
  harness.platform.person = person;
  const reply = await returnFromPlatform(visitor, await beginSignIn(visitor));
  if (reply.status !== 302 || reply.headers['location'] !== '/app') {
    throw new Error(`not signed in: ${reply.status.toString()} ${reply.text}`);
  }
  return visitor;
}

/** Who a visitor is, as the API says. */
export async function whoIs(visitor: Visitor): Promise<Reply> {
  return visitor.call('GET', '/api/v1/me');
}

/** What the writes of a session send along. */
export async function csrfOf(visitor: Visitor): Promise<Readonly<Record<string, string>>> {
  const { json } = await whoIs(visitor);
  return { 'x-csrf-token': String(Reflect.get(Object(json), 'csrfToken')) };
}
