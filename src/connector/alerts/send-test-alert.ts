import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { message, type Message } from '../../kernel/message.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import { DeliverMessage } from './deliver-message.js';

/** A test goes to any address an administrator saved: the limit keeps it from flooding a mailbox. */
export const MAX_TESTS = 3;
const TESTS_WITHIN_MS = 10 * 60_000;

@Injectable()
export class SendTestAlert {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly deliverMessage: DeliverMessage,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a message now.
   * @returns why it was not delivered, if so; undefined after too many tests in the last ten minutes
   */
  async sendTest(installationId: InstallationId): Promise<{ readonly problem?: Message } | undefined> {
    const settings = await this.tenantDatabase.readOnce('read alert settings', installationId, (tx) =>
      this.alertSettingRepository.find(tx, installationId),
    );
    if (settings === undefined || settings.channel === 'off') {
      return { problem: message('delivery.off') };
    }
    if (!(await this.recordTest(installationId))) {
      return undefined;
    }
    const alert = {
      id: randomUUID(),
      kind: 'test' as const,
      title: 'This is a test',
      advice: 'Nothing has happened. Alerts of this company will come here.',
      raisedAt: this.clock.now(),
    };
    const problem = await this.deliverMessage.deliver(installationId, settings, { id: randomUUID(), alerts: [alert] });
    return problem === undefined ? {} : { problem };
  }

  private async recordTest(installationId: InstallationId): Promise<boolean> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - TESTS_WITHIN_MS);
    return this.tenantDatabase.inInstallation('take alert test', installationId, (tx) =>
      this.alertSettingRepository.recordTest(tx, installationId, { most: MAX_TESTS, since, now }),
    );
  }
}
