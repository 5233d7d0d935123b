import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the host does with a request for one of its files. */
export type FileBehavior = (response: ServerResponse, host: FileHost) => void | Promise<void>;

const PIECE = Buffer.alloc(65_536, 'receipt ');

/** A file of so many bytes, sent at the pace of its reader. */
export function generated(
  bytes: number,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/pdf' },
): FileBehavior {
  return async (response, host) => {
    response.writeHead(200, headers);
    for (let sent = 0; sent < bytes && !response.destroyed;) {
      const piece = PIECE.subarray(0, Math.min(PIECE.length, bytes - sent));
      sent += piece.length;
      host.bytesSent += piece.length;
      if (!response.write(piece)) {
        await new Promise((resolve) => {
          response.once('drain', resolve);
          response.once('close', resolve);
        });
      }
    }
    response.end();
  };
}

/** A file with these bytes. */
export function file(text: string, type = 'application/pdf'): FileBehavior {
  return (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
}

export function respondWith(status: number, headers: Readonly<Record<string, string>> = {}): FileBehavior {
  return (response) => {
    response.writeHead(status, headers);
    response.end('no file');
  };
}

/** Announces more than it sends, then hangs up. */
export const cut: FileBehavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000' });
  response.write('%PDF', () => response.socket?.destroy());
};

/** Hangs up without a word. */
export const hangUp: FileBehavior = (response) => {
  response.socket?.resetAndDestroy();
};

/** Begins, and then says nothing more. */
export const stalled: FileBehavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000' });
  response.write('%PDF');
};

export const silent: FileBehavior = () => undefined;

/** An HTTP server with files at addresses of its own, which behave as set. */
export class FileHost {
  /** Paths with their queries, in the order of the requests. */
  readonly requests: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Of generated files. */
  bytesSent = 0;
  /** Most requests that were under way at the same time. */
  mostAtOnce = 0;
  private atOnce = 0;
  private readonly files = new Map<string, FileBehavior[]>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<FileHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const host = new FileHost(server, `http://127.0.0.1:${port.toString()}`);
    server.on('request', (request, response) => {
      const path = request.url ?? '/';
      host.requests.push(path);
      host.headers.push(request.headers);
      host.atOnce += 1;
      host.mostAtOnce = Math.max(host.mostAtOnce, host.atOnce);
      response.once('close', () => {
        host.atOnce -= 1;
      });
      const script = host.files.get(path.split('?')[0] ?? '') ?? [];
      const behavior = script.length > 1 ? script.shift() : script[0];
      void (behavior ?? respondWith(404))(response, host);
    });
    return host;
  }

  /**
   * @param behaviors request by request; the last one for ever
   * @returns the file's address
   */
  put(path: string, ...behaviors: readonly FileBehavior[]): string {
    this.files.set(path, [...behaviors]);
    return `${this.url}${path}`;
  }

  reset(): void {
    this.requests.length = 0;
    this.headers.length = 0;
    this.bytesSent = 0;
    this.mostAtOnce = 0;
    this.files.clear();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
