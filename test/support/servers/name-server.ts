import { createSocket, type Socket } from 'node:dgram';
import { resolverOf, type ResolveName } from '../../../src/foundation/http/client/resolve-name.js';

const TYPE_A = 1;

/** A DNS server that answers each question for an IPv4 address with the next of its script, then with the last for ever. */
export class NameServer {
  queries = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly script: readonly string[],
    /** Resolves names with this server only. */
    readonly resolve: ResolveName,
  ) {}

  static async start(...script: readonly string[]): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    const servers = [`127.0.0.1:${socket.address().port.toString()}`];
    const server = new NameServer(socket, script, resolverOf({ servers }));
    socket.on('message', (question, { port, address }) => {
      socket.send(server.respond(question), port, address);
    });
    return server;
  }

  close(): void {
    this.socket.close();
  }

  /** RFC 1035 §4: the question again, and for type A one record that is not to be kept. */
  private respond(question: Buffer): Buffer {
    const end = question.indexOf(0, 12) + 5;
    const isForA = question.readUInt16BE(end - 4) === TYPE_A;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(isForA ? 1 : 0, 6);
    header.fill(0, 8);
    if (!isForA) {
      return Buffer.concat([header, question.subarray(12, end)]);
    }
    const address = this.script[Math.min(this.queries, this.script.length - 1)] ?? '';
    this.queries += 1;
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    return Buffer.concat([header, question.subarray(12, end), record]);
  }
}
