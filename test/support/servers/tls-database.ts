// PostgreSQL behind TLS: speaks the first step of its protocol (SSLRequest) and passes the rest on to the test server.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket, createSecureContext } from 'node:tls';

/** Length and code of an SSLRequest; `S` accepts it (PostgreSQL, message formats). */
const SSL_REQUEST_BYTES = 8;

export class TlsDatabase {
  /** How often a client has sent something through a completed handshake. */
  sessions = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param behind address of the server that is reached through it */
  static async start(behind: URL, key: string, cert: string): Promise<TlsDatabase> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const database = new TlsDatabase(server, typeof address === 'object' && address !== null ? address.port : 0);
    const secureContext = createSecureContext({ key, cert });
    server.on('connection', (socket) => {
      database.keep(socket);
      socket.once('readable', () => {
        if (socket.read(SSL_REQUEST_BYTES) === null) {
          socket.destroy();
          return;
        }
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, secureContext });
        secure.once('error', () => socket.destroy());
        secure.once('data', (first: Buffer) => {
          database.sessions += 1;
          const target = connect(Number(behind.port), behind.hostname);
          database.keep(target);
          target.write(first);
          secure.pipe(target).pipe(secure);
        });
      });
    });
    return database;
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((closed) => this.server.close(closed));
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}
