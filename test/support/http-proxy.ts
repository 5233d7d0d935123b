import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';

/** One exchange as it passes, with the body in full. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Called at a boundary; returning `false` lets nothing pass any more: the caller waits until it dies. */
export interface Boundaries {
  /** Before the request reaches the other side: no effect yet. */
  readonly onRequest?: (passing: Passing) => boolean;
  /** After the other side has answered, before the caller learns of it: the effect is there. */
  readonly onAnswer?: (passing: Passing, status: number) => boolean;
}

/** An HTTP proxy in front of one program that can stop the world at any boundary. */
export class HttpProxy {
  boundaries: Boundaries = {};
  readonly seen: Passing[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(port: number, target: string): Promise<HttpProxy> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    const address = server.address();
    const actual = address !== null && typeof address === 'object' ? address.port : port;
    const proxy = new HttpProxy(server, `http://localhost:${actual.toString()}`);
    server.on('request', (incoming, outgoing) => {
      proxy.pass(incoming, outgoing, target).catch(() => outgoing.destroy());
    });
    return proxy;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse, target: string): Promise<void> {
    const body = await read(incoming);
    const passing = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
    };
    this.seen.push(passing);
    if (this.boundaries.onRequest?.(passing) === false) {
      return;
    }
    const answer = await forward(target, passing);
    const text = await read(answer);
    if (this.boundaries.onAnswer?.(passing, answer.statusCode ?? 0) === false) {
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.end(text);
  }
}

async function forward(target: string, { method, path, headers, body }: Passing): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = request(new URL(path, target), { method, headers: { ...headers } }, resolve);
    sending.once('error', reject);
    sending.end(body);
  });
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk as Uint8Array));
  }
  return Buffer.concat(chunks);
}
