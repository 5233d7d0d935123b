import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What a server makes of a refresh token that was used before: `none`: there is only one, it stays · `grace`: the same pair
 * once more · `strict`: refused · `family`: refused, and the whole grant is taken back.
 */
export type Rotation = 'none' | 'grace' | 'strict' | 'family';

/**
 * What becomes of one use and its answer. `late`: it has its effect, and the answer waits · `lost`: no client learns of it ·
 * `doubled`: the request arrives twice, and the first answer is delivered.
 */
export type Delivery = 'late' | 'lost' | 'doubled';

/** An authorization server of one grant, as strict as the test says. */
export class RefreshServer {
  accessToken = '';
  refreshToken = '';
  /** Uses of a refresh token. */
  uses = 0;
  /** Uses of one that was used before. */
  replays = 0;
  private rotation: Rotation = 'none';
  private before = '';
  private isRevoked = false;
  private next: Delivery | undefined;
  private deliver: () => void = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<RefreshServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const refreshServer = new RefreshServer(server, `http://127.0.0.1:${port.toString()}`);
    server.on('request', (request, response) => {
      void read(request).then((body) => {
        refreshServer.refresh(new URLSearchParams(body).get('refresh_token') ?? '', response);
      });
    });
    return refreshServer;
  }

  /** A new grant. @returns access and refresh token */
  consent(rotation: Rotation): readonly [string, string] {
    Object.assign(this, { rotation, isRevoked: false, next: undefined, uses: 0, replays: 0 });
    this.issue(true);
    return [this.accessToken, this.refreshToken];
  }

  /** The person takes the access back. */
  revoke(): void {
    this.isRevoked = true;
  }

  disturbNext(next: Delivery): void {
    this.next = next;
  }

  /** Sends the answer that is late. */
  deliverLate(): void {
    this.deliver();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private refresh(token: string, response: ServerResponse): void {
    const { next } = this;
    this.next = undefined;
    const [status, body] = this.use(token);
    switch (next) {
      case 'lost':
        response.socket?.resetAndDestroy();
        return;
      case 'late':
        this.deliver = () => {
          sendResponse(response, status, body);
        };
        return;
      case 'doubled':
        this.use(token);
        break;
      case undefined:
    }
    sendResponse(response, status, body);
  }

  private use(token: string): readonly [status: number, body: object] {
    this.uses += 1;
    const isCurrent = token === this.refreshToken;
    if (!isCurrent) {
      this.replays += 1;
    }
    const isForgiven = this.rotation === 'grace' && token === this.before;
    if (this.isRevoked || !(isCurrent || isForgiven)) {
      this.isRevoked ||= this.rotation === 'family';
      return [400, { error: 'invalid_grant' }];
    }
    if (isCurrent) {
      this.issue();
    }
    const rotated = this.rotation === 'none' ? {} : { refresh_token: this.refreshToken };
    return [200, { access_token: this.accessToken, token_type: 'Bearer', expires_in: 900, ...rotated }];
  }

  private issue(isFirst = false): void {
    this.accessToken = `access-${randomUUID()}`;
    if (isFirst || this.rotation !== 'none') {
      this.before = this.refreshToken;
      this.refreshToken = `refresh-${randomUUID()}`;
    }
  }
}

function sendResponse(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
