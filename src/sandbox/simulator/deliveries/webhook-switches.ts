import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { counted, isMatched } from '../failures/domain/switch-plan.js';
import { seededShare } from '../failures/seeded-share.js';
import { WebhookSwitchRepository, type NewWebhookSwitch, type WebhookSwitch } from './webhook-switch.repository.js';

/** The failure switches of notifications. */
@Injectable()
export class WebhookSwitches {
  constructor(
    private readonly webhookSwitchRepository: WebhookSwitchRepository,
    private readonly database: Database,
  ) {}

  /** Oldest first. */
  async all(): Promise<readonly WebhookSwitch[]> {
    return this.database.inTransaction('show webhook switches', (tx) => this.webhookSwitchRepository.lockAll(tx));
  }

  async add(fresh: NewWebhookSwitch): Promise<WebhookSwitch> {
    return this.database.inTransaction('add webhook switch', (tx) => this.webhookSwitchRepository.add(tx, fresh));
  }

  /** @param id unset: all */
  async remove(id?: number): Promise<void> {
    await this.database.inTransaction('remove webhook switch', (tx) => this.webhookSwitchRepository.remove(tx, id));
  }

  /** The oldest switch that an attempt matches, counted as a hit; the older ones count it as seen. */
  async match(): Promise<WebhookSwitch | undefined> {
    return this.database.inTransaction('match webhook switch', async (tx) => {
      for (const one of await this.webhookSwitchRepository.lockAll(tx)) {
        const share = seededShare(one.seed, `webhook switch ${one.id.toString()} ${one.seen.toString()}`);
        const isHit = isMatched(one, share);
        await this.webhookSwitchRepository.count(tx, counted(one, isHit));
        if (isHit) {
          return one;
        }
      }
      return undefined;
    });
  }
}
