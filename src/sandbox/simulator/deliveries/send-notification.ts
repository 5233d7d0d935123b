import { Injectable } from '@nestjs/common';
import { HttpClient } from '../../../foundation/http/client/http-client.js';
import type { AttemptOutcome, DueDelivery } from './delivery.repository.js';
import type { NotificationMessage } from './notification-message.js';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1_048_576;

@Injectable()
export class SendNotification {
  private readonly stopping = new AbortController();

  /** Aborts the requests under way and all later ones: the program stops. */
  stop(): void {
    this.stopping.abort();
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** POSTs a notification once (P2.3). A failure of any kind is an outcome, never an error. */
  async send(delivery: DueDelivery, message: NotificationMessage): Promise<AttemptOutcome> {
    const url = new URL(delivery.endpointUrl);
    const { timestamp, signature } = message;
    const sent = { timestamp, signature };
    const http = new HttpClient({
      baseUrl: url.origin,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxConnections: 1,
    });
    try {
      const { status } = await http.send({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers: headersOf(delivery, message),
        body: message.body,
        signal: this.stopping.signal,
      });
      const failure = status >= 200 && status < 300 ? null : `status ${status.toString()}`;
      return { ...sent, status, failure };
    } catch (error) {
      // Any error is a failed attempt: thrown, it would make the same attempt due again at once.
      return { ...sent, status: null, failure: error instanceof Error ? error.message : 'no response' };
    } finally {
      http.close();
    }
  }
}

function headersOf(delivery: DueDelivery, message: NotificationMessage): Record<string, string> {
  return {
    // Before those of the subscription, which may name another one.
    'user-agent': 'platform-webhooks',
    ...delivery.customHeaders,
    ...authorization(delivery),
    'content-type': 'application/json',
    'webhook-id': message.webhookId,
    'webhook-timestamp': message.timestamp.toString(),
    ...(message.signature === null ? {} : { 'webhook-signature': message.signature }),
  };
}

function authorization({ endpointAuth }: DueDelivery): Record<string, string> {
  if (endpointAuth?.type !== 'BASIC') {
    return {};
  }
  const { username, password } = endpointAuth.credentials;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
