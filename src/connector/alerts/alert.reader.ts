import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import type { AlertPosition, AlertView } from './domain/alert-message.js';
import type { SavedAlertSettings } from './domain/alert-settings.js';
import { ALERT_KINDS } from './domain/alert.js';

@Injectable()
export class AlertReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly mailer: Mailer,
  ) {}

  /** Whether alerts can go by mail: only where the operator has set a mail server. */
  get canSendMail(): boolean {
    return this.mailer.canSend;
  }

  /** Before the first save alerts are off, and the first choice is every kind. */
  async readSettings(installationId: InstallationId): Promise<SavedAlertSettings> {
    const stored = await this.tenantDatabase.readOnce('read alert settings', installationId, (tx) =>
      this.alertSettingRepository.find(tx, installationId),
    );
    return stored ?? { version: 0, channel: 'off', address: undefined, kinds: ALERT_KINDS };
  }

  /** Newest first. @param after the last alert of the page before */
  async list(
    installationId: InstallationId,
    after: AlertPosition | undefined,
    limit: number,
  ): Promise<readonly AlertView[]> {
    return this.tenantDatabase.readOnce('list alerts', installationId, (tx) =>
      tx.rows<AlertView>(sql`
        SELECT alert.id, kind, fact, title, advice, detail, count, raised_at AS "raisedAt", sent_at AS "sentAt", problem,
          CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN given_up_at IS NOT NULL THEN 'failed' ELSE 'waiting' END AS state
        FROM alert LEFT JOIN alert_message message
          ON message.installation_id = alert.installation_id AND message.id = message_id
        WHERE alert.installation_id = ${installationId} AND (${after === undefined}
          OR (raised_at, alert.id) < (${after?.raisedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
        ORDER BY raised_at DESC, alert.id DESC LIMIT ${limit}`),
    );
  }
}
