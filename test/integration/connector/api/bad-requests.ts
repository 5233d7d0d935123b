import { connect } from 'node:net';
import type pg from 'pg';
import {
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly type?: string };
}

/** A route of an installation, with unknown ids in its path. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

export interface Sent {
  readonly bearer?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export const PROBLEM = 'application/problem+json';
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** The running API, an administrator of one installation, and what it says its routes are. */
export class BadRequests {
  private constructor(
    readonly connector: ConnectorUnderTest,
    readonly mine: StoredInstallation,
    readonly port: number,
  ) {}

  token = '';
  routes: readonly Route[] = [];

  /** @param environment besides what every test has @param lines takes the log, too */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    lines?: { write(line: string): void },
  ): Promise<BadRequests> {
    const connector = await startConnectorApp(environment, lines);
    await connector.app.listen(0, '127.0.0.1');
    const port = Number(new URL(await connector.app.getUrl()).port);
    const started = new BadRequests(connector, await storeInstallation(connector), port);
    started.token = await started.newToken('test');
    started.routes = await started.installationRoutes();
    return started;
  }

  get admin(): pg.Client {
    return this.connector.admin;
  }

  async close(): Promise<void> {
    await this.connector.close();
  }

  get reading(): readonly Route[] {
    return this.routes.filter(({ method }) => method === 'GET');
  }

  get writing(): readonly Route[] {
    return this.routes.filter(({ method }) => method === 'POST' || method === 'PUT');
  }

  async newToken(label: string): Promise<string> {
    const answer = await this.send('POST', `/api/v1/operator/installations/${this.mine.id}/api-tokens`, {
      bearer: OPERATOR_TOKEN,
      body: JSON.stringify({ role: 'admin', label, days: 1 }),
    });
    return String(Reflect.get(Object(answer.json), 'token'));
  }

  async send(method: Method | 'OPTIONS', url: string, { bearer = this.token, body, headers }: Sent = {}) {
    const answer = await this.connector.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
    return {
      status: answer.statusCode,
      type: String(answer.headers['content-type']),
      headers: answer.headers,
      json: isJson ? (JSON.parse(answer.body) as unknown) : undefined,
      text: answer.body,
    };
  }

  /** What comes back for these bytes before the other side hangs up, or once it has answered in full. */
  exchangeBytes(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(text));
      let answer = '';
      const settle = () => {
        socket.destroy();
        resolve(answer);
      };
      socket.on('data', (chunk) => {
        answer += chunk.toString();
        const [head = '', body] = answer.split('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (body !== undefined && Buffer.byteLength(body) >= length) {
          settle();
        }
      });
      socket.on('close', settle);
      socket.on('error', reject);
    });
  }

  private async installationRoutes(): Promise<readonly Route[]> {
    const { json } = await this.send('GET', '/api/openapi.json');
    const paths = Reflect.get(Object(json), 'paths') as Record<
      string,
      Record<string, { parameters?: readonly Parameter[] }>
    >;
    return Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/') && !path.startsWith('/api/v1/operator'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { parameters = [] }]) => ({
          method: method.toUpperCase() as Method,
          path: path.replace(/\{[^}]+\}/g, UNKNOWN_ID),
          parameters,
        })),
      );
  }
}
