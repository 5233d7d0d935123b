import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface ReceivedNotification {
  readonly method?: string;
  readonly headers: IncomingHttpHeaders;
  /** Body exactly as it arrived. */
  readonly text: string;
}

/** A receiver that keeps what it gets and answers what the test says. */
export class WebhookReceiver {
  readonly received: ReceivedNotification[] = [];
  /** Status of the next answers; undefined breaks the connection instead. */
  status: number | undefined = 200;

  private waiting: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param port at which it listens, on every interface unless the port is any */
  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const host = port === 0 ? '127.0.0.1' : '0.0.0.0';
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    const address = server.address();
    const bound = address !== null && typeof address === 'object' ? address.port : 0;
    const receiver = new WebhookReceiver(server, `http://127.0.0.1:${bound.toString()}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.received.push({
          ...(request.method === undefined ? {} : { method: request.method }),
          headers: request.headers,
          text: Buffer.concat(chunks).toString(),
        });
        if (receiver.status === undefined) {
          request.socket.destroy();
        } else {
          response.writeHead(receiver.status, { location: 'http://127.0.0.1:1/' }).end();
        }
        receiver.waiting.splice(0).forEach((resolve) => {
          resolve();
        });
      });
    });
    return receiver;
  }

  /** Waits until so many notifications have arrived in all. */
  async arrivals(count: number): Promise<void> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
