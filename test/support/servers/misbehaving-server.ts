import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived. Its place in `requests` is its time: tests ask for order, never for a clock. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server does with one request that it has read in full. */
export type Behavior = (response: ServerResponse) => void;

/** @param body text as it is, anything else as JSON */
export function respondingWith(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Behavior {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Hangs up without a word. */
export const reset: Behavior = (response) => {
  response.socket?.resetAndDestroy();
};

/** Says nothing and keeps the connection open. */
export const silent: Behavior = () => undefined;

/** Announces a longer body than it sends, then hangs up. */
export const truncated: Behavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data":[', () => response.socket?.destroy());
};

/** Behaves only once `gate` opens. */
export function after(gate: Promise<unknown>, behavior: Behavior): Behavior {
  return (response) => {
    void gate.then(() => {
      behavior(response);
    });
  };
}

/** An HTTP server that does, request by request, what the test has set. */
export class MisbehavingServer {
  readonly requests: ReceivedRequest[] = [];
  private script: Behavior[] = [];
  private otherwise: Behavior = respondingWith(418, { type: 'unexpected', message: 'nothing was scripted' });

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<MisbehavingServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const misbehaving = new MisbehavingServer(server, `http://127.0.0.1:${port.toString()}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { pathname, searchParams } = new URL(request.url ?? '/', misbehaving.url);
        misbehaving.requests.push({
          method: request.method ?? '',
          path: pathname,
          query: searchParams,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        });
        (misbehaving.script.shift() ?? misbehaving.otherwise)(response);
      });
    });
    return misbehaving;
  }

  /** Forgets everything, then does these things in this order; after the last one every request gets a 418. */
  plan(...script: readonly Behavior[]): void {
    this.requests.length = 0;
    this.script = [...script];
    this.otherwise = respondingWith(418, { type: 'unexpected', message: 'nothing was scripted' });
  }

  /** As `plan` with one behavior for ever. */
  always(behavior: Behavior): void {
    this.plan();
    this.otherwise = behavior;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
