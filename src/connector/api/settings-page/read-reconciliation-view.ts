import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { addDays, localDateIn } from '../../../kernel/local-date.js';
import { ReconciliationReader } from '../../reconciliation/reconciliation.reader.js';
import type { ReconciliationView } from './reconciliation.section.js';

const MAX_DISCREPANCIES = 20;
const OPEN = { state: 'open', class: undefined } as const;

/** Reads what the settings page shows about reconciliation. */
@Injectable()
export class ReadReconciliationView {
  constructor(
    private readonly reconciliationReader: ReconciliationReader,
    private readonly clock: Clock,
  ) {}

  async readView(installationId: InstallationId): Promise<ReconciliationView> {
    const status = await this.reconciliationReader.readStatus(installationId);
    const [lastRun] = await this.reconciliationReader.listRuns(installationId, undefined, 1);
    const limit = MAX_DISCREPANCIES + 1;
    const open = await this.reconciliationReader.listDiscrepancies(installationId, OPEN, undefined, limit);
    const now = this.clock.now();
    const today = localDateIn(now, status.timeZone ?? 'UTC');
    const lastMonth = addDays(today, -Number(today.slice(8)));
    return {
      status,
      lastRun,
      classes: await this.reconciliationReader.countByClass(installationId),
      discrepancies: open.slice(0, MAX_DISCREPANCIES),
      hasMore: open.length > MAX_DISCREPANCIES,
      months: [lastMonth, today].map((day) => day.slice(0, 7)),
      now,
    };
  }
}
