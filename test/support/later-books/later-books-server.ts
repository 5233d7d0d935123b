// Tiny Books behind an office that takes posts in and carries them out later: a request is answered with the number of a job,
// which is asked for. Everything else is handed through.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { MemoryErpStore } from '../../../src/erp-contract/memory-erp-store.js';
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { PostingGroup, PostOutcome } from '../../../src/connector/erp/erp-ledger.js';
import { openAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { toErpCompanyId } from '../../../src/kernel/ids.js';
import { API_KEY, startTinyBooks, type TinyBooks } from '../tiny-books/tiny-books-server.js';
import { tinyBooks } from '../tiny-books/tiny-books.erp.js';
import { fromWire, toWire } from './later-books-wire.js';

/** How long a job lies before it is carried out. */
const DUE_MS = 60;

export class LaterBooks {
  private readonly jobs: { outcomes: readonly PostOutcome[] | undefined }[] = [];
  private work: Promise<unknown> = Promise.resolve();
  /** Set: jobs lie there. */
  held: Promise<void> | undefined;

  private constructor(
    readonly books: TinyBooks,
    private readonly server: ReturnType<typeof createServer>,
    private readonly erp: ConnectedErp,
  ) {}

  static async start(): Promise<LaterBooks> {
    const books = await startTinyBooks();
    const adapter = openAdapter(
      tinyBooks,
      { url: books.url, apiKey: API_KEY },
      {
        connectionId: 'office',
        clock: new SystemClock(),
        store: new MemoryErpStore(),
        log: () => undefined,
        client: {},
      },
    );
    const caller = {
      company: toErpCompanyId('tiny'),
      signal: new AbortController().signal,
      deadline: () => new Date(Date.now() + 20_000),
      assertOwner: () => undefined,
    };
    const server = createServer();
    const started = new LaterBooks(books, server, adapter.forCompany(caller));
    server.on('request', (request, response) => void started.respond(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port.toString()}`;
  }

  async carriedOut(): Promise<void> {
    await this.work;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.work;
    await this.books.stop();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const answer = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    const body = Buffer.concat(chunks).toString();
    if (!url.startsWith('/jobs')) {
      const key = String(headers['x-api-key'] ?? '');
      const passed = await fetch(this.books.url + url, {
        method,
        headers: { 'x-api-key': key },
        ...(body === '' ? {} : { body }),
      });
      answer(passed.status, await passed.text());
      return;
    }
    if (method === 'POST') {
      answer(
        202,
        JSON.stringify({ job: this.take(fromWire<PostingGroup[]>((JSON.parse(body) as { groups: string }).groups)) }),
      );
      return;
    }
    const job = this.jobs[Number(url.split('/')[2]) - 1];
    if (job === undefined) {
      answer(404, '{}');
      return;
    }
    answer(200, JSON.stringify(job.outcomes === undefined ? {} : { outcomes: toWire(job.outcomes) }));
  }

  /** One job after the other. */
  private take(groups: readonly PostingGroup[]): number {
    const job: LaterBooks['jobs'][number] = { outcomes: undefined };
    const number = this.jobs.push(job);
    this.work = this.work.then(async () => {
      await (this.held ?? delay(DUE_MS));
      job.outcomes = await this.erp.post(groups);
    });
    return number;
  }
}
