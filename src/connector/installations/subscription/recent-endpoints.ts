import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { SubscriptionReader, type WebhookEndpoint } from './subscription.reader.js';

/** What is stored asks `isUnchanged` whatever the age; this bounds how long a secret that is not used any more stays in memory. */
const MAX_AGE_MS = 10_000;
const MAX_ENDPOINTS = 1_000;

/**
 * Webhook addresses that messages came to a moment ago, with what these are verified with, so that it is not read and decrypted
 * for each of many. Only active installations are kept.
 */
@Injectable()
export class RecentEndpoints {
  private readonly kept = new Map<string, { readonly endpoint: WebhookEndpoint; readonly until: number }>();

  constructor(
    private readonly subscriptionReader: SubscriptionReader,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined: it has to be read */
  find(endpointToken: string): WebhookEndpoint | undefined {
    const known = this.kept.get(endpointToken);
    return known !== undefined && known.until > this.clock.monotonicMs() ? known.endpoint : undefined;
  }

  /** @returns undefined for an unknown address; without keys for the address of an uninstalled installation */
  async read(endpointToken: string): Promise<WebhookEndpoint | undefined> {
    const endpoint = await this.subscriptionReader.findEndpoint(endpointToken);
    this.kept.delete(endpointToken);
    if (endpoint?.installation.state === 'active') {
      this.kept.set(endpointToken, { endpoint, until: this.clock.monotonicMs() + MAX_AGE_MS });
      const [oldest] = this.kept.keys();
      if (this.kept.size > MAX_ENDPOINTS && oldest !== undefined) {
        this.kept.delete(oldest);
      }
    }
    return endpoint;
  }
}
