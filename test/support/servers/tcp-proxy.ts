import { createServer, connect, type Server, type Socket } from 'node:net';

/** A TCP proxy that can swallow everything while keeping its sockets open: a network black hole. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly links = new Set<{ lost: boolean }>();
  private swallowing = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true });
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
    const proxy = new TcpProxy(server, port);
    server.on('connection', (client) => {
      proxy.join(client, connect(target));
    });
    return proxy;
  }

  /** From now on nothing passes, and nothing says so. */
  blackHole(): void {
    this.swallowing = true;
  }

  /** Connections made from now on work; those of before stay half open, as after a lost network state. */
  restore(): void {
    this.swallowing = false;
  }

  /** The connections of now stay half open for ever, and nothing says so; new ones work. */
  silence(): void {
    for (const link of this.links) {
      link.lost = true;
    }
    this.links.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, target: Socket): void {
    const link = { lost: false };
    this.links.add(link);
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => {
        link.lost ||= this.swallowing;
        if (!link.lost) {
          to.write(chunk);
        }
      });
      // A goodbye is lost like everything else.
      from.on('end', () => {
        if (!link.lost) {
          to.end();
        }
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        this.links.delete(link);
        if (!link.lost) {
          to.destroy();
        }
      });
    }
  }
}
