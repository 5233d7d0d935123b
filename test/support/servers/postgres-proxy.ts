import { createServer, connect, type Server, type Socket } from 'node:net';

/** One question to the database: what the client sends until it waits for the answer. */
export interface Question {
  /** As SQL, without values; several statements have semicolons between them. */
  readonly text: string;
  /** Everything that is sent, values included. */
  readonly sent: Buffer;
  readonly connection: Connection;
}

export interface Connection {
  /** What the client calls itself. */
  application: string;
  /** Whom the transaction under way is for; forgotten with its end. */
  owner: string | undefined;
  inTransaction: boolean;
}

/** `cut`: the connection breaks, `lost`: nothing comes any more, and nothing says so; a promise: it passes once that resolves. */
export type DatabasePassage = 'pass' | 'cut' | 'lost' | Promise<void>;

export interface DatabaseTap {
  readonly onQuestion: (question: Question) => DatabasePassage;
  readonly onAnswer: (question: Question, answer: Buffer) => DatabasePassage;
}

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;
/** Sync and the simple query end a question. */
const ENDS = new Set(['S', 'Q']);
/** They belong to a question that goes on. */
const PARTS = new Set(['P', 'B', 'D', 'E', 'C']);

/** A proxy that understands PostgreSQL's framing: it sees each question and its whole answer, and can stop either. */
export class PostgresProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(
    target: { readonly host: string; readonly port: number },
    tap: DatabaseTap,
  ): Promise<PostgresProxy> {
    const server = createServer();
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
    const proxy = new PostgresProxy(server, port);
    server.on('connection', (client) => {
      const database = connect({ ...target, noDelay: true });
      proxy.sockets.add(client).add(database);
      client.once('close', () => proxy.sockets.delete(client));
      database.once('close', () => proxy.sockets.delete(database));
      new Conversation(client, database, tap).begin();
    });
    return proxy;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.server.close(resolve));
  }
}

class Conversation {
  private readonly state: Connection = { application: '', owner: undefined, inTransaction: false };
  private readonly statements = new Map<string, string>();
  private fromClient = Buffer.alloc(0);
  private fromDatabase = Buffer.alloc(0);
  private readonly parts: Buffer[] = [];
  private readonly texts: string[] = [];
  private question: Question | undefined;
  private answer: Buffer[] = [];
  private hasBegun = false;
  private lost = false;
  /** What follows waits, too: messages keep their order. */
  private held = false;

  constructor(
    private readonly client: Socket,
    private readonly database: Socket,
    private readonly tap: DatabaseTap,
  ) {}

  begin(): void {
    this.client.setNoDelay(true);
    this.client.on('data', (chunk) => {
      this.fromClient = Buffer.concat([this.fromClient, chunk]);
      this.readClient();
    });
    this.database.on('data', (chunk) => {
      this.fromDatabase = Buffer.concat([this.fromDatabase, chunk]);
      this.readDatabase();
    });
    for (const socket of [this.client, this.database]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        // Half open: what the client has keeps looking like a connection.
        if (!this.lost || socket === this.client) {
          this.cut();
        }
      });
    }
  }

  private cut(): void {
    this.client.destroy();
    this.database.destroy();
  }

  private readClient(): void {
    // The first message has no type.
    if (!this.hasBegun && this.fromClient.length >= LENGTH_BYTES) {
      const length = this.fromClient.readUInt32BE(0);
      if (this.fromClient.length < length) {
        return;
      }
      const start = this.fromClient.subarray(0, length);
      this.state.application = /application_name\0([^\0]*)/.exec(start.toString('latin1'))?.[1] ?? '';
      this.database.write(start);
      this.fromClient = this.fromClient.subarray(length);
      this.hasBegun = true;
    }
    for (let message = this.nextFromClient(); message !== undefined; message = this.nextFromClient()) {
      const type = String.fromCharCode(message[0] ?? 0);
      if (!ENDS.has(type) && !PARTS.has(type)) {
        this.toDatabase(message);
        continue;
      }
      this.parts.push(message);
      this.readText(type, message.subarray(TYPE_BYTES + LENGTH_BYTES));
      if (ENDS.has(type)) {
        this.ask();
      }
    }
  }

  private readText(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'Q') {
      this.texts.push(first);
    } else if (type === 'P') {
      this.statements.set(first, second);
    } else if (type === 'B') {
      this.texts.push(this.statements.get(second) ?? '');
    }
  }

  private ask(): void {
    if (!this.state.inTransaction) {
      this.state.owner = undefined;
    }
    const sent = Buffer.concat(this.parts.splice(0));
    const question = { text: this.texts.splice(0).join('; '), sent, connection: this.state };
    this.question = question;
    this.answer = [];
    this.decide(this.tap.onQuestion(question), () => {
      this.toDatabase(sent);
    });
  }

  private decide(passage: DatabasePassage, send: () => void): void {
    if (typeof passage === 'object') {
      this.held = true;
      void passage.then(() => {
        this.held = false;
        send();
        this.readClient();
      });
    } else if (this.passes(passage)) {
      send();
    }
  }

  private nextFromClient(): Buffer | undefined {
    return this.held ? undefined : this.nextOf('fromClient');
  }

  private readDatabase(): void {
    for (let message = this.nextOf('fromDatabase'); message !== undefined; message = this.nextOf('fromDatabase')) {
      const { question } = this;
      if (question === undefined) {
        this.toClient(message);
        continue;
      }
      this.answer.push(message);
      if (message[0] === 'Z'.charCodeAt(0)) {
        this.state.inTransaction = message[TYPE_BYTES + LENGTH_BYTES] !== 'I'.charCodeAt(0);
        this.question = undefined;
        const answer = Buffer.concat(this.answer.splice(0));
        this.decide(this.tap.onAnswer(question, answer), () => {
          this.toClient(answer);
        });
      }
    }
  }

  private passes(passage: Exclude<DatabasePassage, Promise<void>>): boolean {
    if (passage === 'cut') {
      this.cut();
    } else if (passage === 'lost') {
      this.lost = true;
      // The server's side ends as it does when its host is notified that the other one has gone.
      this.database.destroy();
    }
    return passage === 'pass';
  }

  private nextOf(from: 'fromClient' | 'fromDatabase'): Buffer | undefined {
    const waiting = this[from];
    if (waiting.length < TYPE_BYTES + LENGTH_BYTES) {
      return undefined;
    }
    const length = TYPE_BYTES + waiting.readUInt32BE(TYPE_BYTES);
    if (waiting.length < length) {
      return undefined;
    }
    this[from] = waiting.subarray(length);
    return waiting.subarray(0, length);
  }

  private toDatabase(message: Buffer): void {
    if (!this.lost && !this.database.destroyed) {
      this.database.write(message);
    }
  }

  private toClient(message: Buffer): void {
    if (!this.lost && !this.client.destroyed) {
      this.client.write(message);
    }
  }
}
