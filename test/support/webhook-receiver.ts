import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface ReceivedNotification {
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

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const receiver = new WebhookReceiver(server, `http://127.0.0.1:${port.toString()}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
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
