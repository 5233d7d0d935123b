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

/** What came back for it. */
export interface Returning {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The response that the caller gets in place of the other side's. */
export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connection is cut before the body has ended. */
  readonly truncated?: boolean;
  /** It comes in ten parts, so many milliseconds apart. */
  readonly pauseMs?: number;
}

/** What happens to a message at a boundary: `false`: nothing passes, the caller waits; `cut`: the connection is broken. */
export type Passage = boolean | 'cut' | ScriptedResponse;

/** Called at a boundary. */
export interface Boundaries {
  /** Before the request reaches the other side: no effect yet. */
  readonly onRequest?: (passing: Passing) => Passage | Promise<Passage>;
  /** After the other side has answered, before the caller learns of it: the effect is there. */
  readonly onResponse?: (passing: Passing, status: number) => Passage;
}

/** An HTTP proxy in front of one program that can stop the world at any boundary. */
export class HttpProxy {
  boundaries: Boundaries = {};
  /** Receives every response. */
  listener: (passing: Passing, answer: Returning) => void = () => undefined;
  readonly seen: Passing[] = [];
  /** Where a request goes to, instead of the program in front of which the proxy was started. */
  route: (passing: Passing) => Promise<string> = () => Promise.resolve(this.target);

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly target: string,
  ) {}

  static async start(port: number, target: string): Promise<HttpProxy> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    const address = server.address();
    const actual = address !== null && typeof address === 'object' ? address.port : port;
    const proxy = new HttpProxy(server, `http://localhost:${actual.toString()}`, target);
    server.on('request', (incoming, outgoing) => {
      proxy.pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
    return proxy;
  }

  /** Sends what was cut off on, now; its response is dropped. */
  async deliver(passing: Passing): Promise<void> {
    await read(await forward(await this.route(passing), passing));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await read(incoming);
    const passing = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
    };
    this.seen.push(passing);
    if (stops(await this.boundaries.onRequest?.(passing), outgoing)) {
      return;
    }
    const answer = await forward(await this.route(passing), passing);
    const text = await read(answer);
    this.listener(passing, { headers: answer.headers, body: text.toString() });
    if (stops(this.boundaries.onResponse?.(passing, answer.statusCode ?? 0), outgoing)) {
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.end(text);
  }
}

function stops(passage: Passage | undefined, outgoing: ServerResponse): boolean {
  if (passage === 'cut') {
    outgoing.destroy();
  } else if (typeof passage === 'object') {
    const { status, headers, body, truncated = false, pauseMs = 0 } = passage;
    const length = Buffer.byteLength(body) + (truncated ? 1_000 : 0);
    outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
    if (truncated) {
      outgoing.write(body, () => outgoing.socket?.destroy());
    } else if (pauseMs > 0) {
      drip(outgoing, Buffer.from(body), pauseMs);
    } else {
      outgoing.end(body);
    }
  }
  return passage !== true && passage !== undefined;
}

function drip(outgoing: ServerResponse, rest: Buffer, pauseMs: number, part = Math.ceil(rest.length / 10)): void {
  if (rest.length <= part) {
    outgoing.end(rest);
  } else {
    outgoing.write(rest.subarray(0, part));
    setTimeout(() => {
      drip(outgoing, rest.subarray(part), pauseMs, part);
    }, pauseMs);
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
