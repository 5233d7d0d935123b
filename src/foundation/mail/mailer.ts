// The door out for mail: plain text to one person, with limits of time.
import type { OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../config/secret.js';
import { assertOutsideTransaction } from '../database/transaction.js';
import { inChildSpan } from '../tracing/tracing.js';
import { isPublicHost } from '../http/client/public-hosts.js';

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them; unset: no mail is sent. */
  readonly url: Secret | undefined;
  /** Whom mails are from. */
  readonly from: string;
  /** Longest time until the server has taken a mail; 30 s by default. */
  readonly deliveryMs?: number;
}

export interface Mail {
  /** The same at every attempt, so that a reader's program shows a repeated mail once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const CONNECT_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 10_000;
/** A server that sends a byte now and then is never idle for long. */
const DELIVERY_MS = 30_000;

export class Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter | undefined;

  constructor(private readonly options: MailerOptions) {
    const { url } = options;
    this.transport =
      url === undefined
        ? undefined
        : createTransport({
            url: url.reveal(),
            requireTLS: needsTls(url.reveal()),
            connectionTimeout: CONNECT_MS,
            greetingTimeout: CONNECT_MS,
            socketTimeout: RESPONSE_TIMEOUT_MS,
            dnsTimeout: CONNECT_MS,
            // Texts and addresses are data: none of them names a file or a page to be fetched.
            disableFileAccess: true,
            disableUrlAccess: true,
          });
  }

  get canSend(): boolean {
    return this.transport !== undefined;
  }

  /**
   * Resolves when the server has taken the mail.
   * @throws Error when it has not, or when no server is set; Bug when called inside a transaction
   */
  async send({ id, to, subject, text }: Mail): Promise<void> {
    assertOutsideTransaction('sending mail');
    if (this.transport === undefined) {
      throw new Error('no mail server is set');
    }
    const { from, deliveryMs = DELIVERY_MS } = this.options;
    const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
    const { transport } = this;
    const signal = AbortSignal.timeout(deliveryMs);
    const mail = { messageId: `<${id}@${domain}>`, from, to, subject, text, signal };
    await inChildSpan('send mail', { kind: 'client' }, () => transport.sendMail(mail));
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/**
 * Whether a mail, and the password with it, waits until the connection is encrypted. Within one's own network a server may do
 * without; on the internet an attacker in between could remove the offer of encryption.
 */
export function needsTls(url: string): boolean {
  return url.startsWith('smtp://') && isPublicHost(new URL(url));
}
