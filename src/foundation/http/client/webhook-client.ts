// The door out for webhooks to addresses that a person has set: looked at when saved and when called, no redirect followed,
// limits of time and size, signed as Standard Webhooks has it.
import { createHmac, randomBytes } from 'node:crypto';
import { message, type Message } from '../../../kernel/message.js';
import { HttpClient, NoResponse } from './http-client.js';
import { checkPublicAddress, type AddressProblem } from './public-hosts.js';

export interface WebhookClientOptions {
  /** True: https and hosts of the internet only. */
  readonly production: boolean;
}

export interface OutgoingWebhook {
  /** The same at every attempt. */
  readonly id: string;
  readonly address: string;
  /** `whsec_` and Base64. */
  readonly secret: string;
  /** Time of the attempt. */
  readonly at: Date;
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1_024;
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export class WebhookClient {
  constructor(private readonly options: WebhookClientOptions) {}

  /** @returns what is wrong with an address, undefined for nothing */
  async check(address: string): Promise<AddressProblem | undefined> {
    return checkPublicAddress(address, this.options);
  }

  /**
   * Sends one webhook.
   * @returns undefined when it was taken (2xx), else why not, without what the other side has said
   * @throws Bug when called inside a transaction
   */
  async send({ id, address, secret, at, body }: OutgoingWebhook): Promise<Message | undefined> {
    const problem = await this.check(address);
    if (problem !== undefined) {
      return message(`delivery.address.${problem}`);
    }
    const { origin, pathname, search } = new URL(address);
    const client = new HttpClient({
      peer: 'alert-webhook',
      baseUrl: origin,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxConnections: 1,
      publicHostsOnly: this.options.production,
      isPathSecret: true,
    });
    const seconds = Math.floor(at.getTime() / 1_000).toString();
    try {
      const { status } = await client.send({
        method: 'POST',
        path: pathname + search,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': seconds,
          'webhook-signature': signature(secret, `${id}.${seconds}.${body}`),
        },
        body,
      });
      return status >= 200 && status <= 299 ? undefined : message('delivery.answered', { status });
    } catch (error) {
      if (error instanceof NoResponse) {
        return message('delivery.no-answer');
      }
      throw error;
    } finally {
      client.close();
    }
  }
}

/** @returns a new secret in the form that receivers know: `whsec_` and Base64 */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

function signature(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}
