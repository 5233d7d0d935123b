import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
}

/** A mail server on a real socket. */
export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  /** Whether it takes mails. */
  isOpen = true;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (!this.isOpen) {
          done(new Error('mailbox full'));
          return;
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        this.mails.push({ to, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await new Promise<void>((resolve) => mailbox.server.listen(0, '127.0.0.1', resolve));
    return mailbox;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port.toString()}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }
}
