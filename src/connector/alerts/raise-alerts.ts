// Finds what an administrator should know of, and puts it into messages; sending them is another step.
import { Injectable } from '@nestjs/common';
import { TimeOrderedIds } from '../../foundation/clock/time-ordered-ids.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { englishText } from '../messages/texts.js';
import { CountDiscrepancies } from '../reconciliation/compare/count-discrepancies.js';
import { AlertFactsRepository, type AlertFactQuery } from './alert-facts.repository.js';
import { AlertRepository } from './alert.repository.js';
import type { StoredAlertSettings } from './alert-setting.repository.js';
import { alertMessages, type AlertFact } from './domain/alert.js';
import { digestsAt } from './domain/digest.js';
import { planMessages } from './domain/plan-messages.js';

/** Leaves a person some minutes before the last ten, in which nothing more is posted. */
const NEAR_END_MS = 15 * 60_000;
/** The connector looks these postings up itself first. */
const IN_DOUBT_FOR_MS = 10 * 60_000;
/** After a longer outage what is older is history. */
const LOOK_BACK_MS = 7 * 24 * 3_600_000;
const MAX_WAITING = 1_000;

@Injectable()
export class RaiseAlerts {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertFactsRepository: AlertFactsRepository,
    private readonly alertRepository: AlertRepository,
    private readonly countDiscrepancies: CountDiscrepancies,
    private readonly timeOrderedIds: TimeOrderedIds,
    private readonly clock: Clock,
  ) {}

  /** May be repeated at any moment, also by two workers at once: a fact is raised once. */
  async raiseAlerts(installationId: InstallationId, settings: StoredAlertSettings): Promise<void> {
    const { overdue, timeZone } = await this.overdueDiscrepancies(installationId);
    await this.tenantDatabase.inInstallation('raise alerts', installationId, async (tx) => {
      const at = this.clock.now();
      const found = await this.alertFactsRepository.find(tx, installationId, factQuery(settings, at, timeZone));
      const wanted = [...found, ...overdue.filter(({ kind }) => settings.kinds.includes(kind))];
      const ids = this.timeOrderedIds.next(wanted.length);
      const alerts = wanted.map((fact, index) => {
        const { title, advice } = alertMessages(fact);
        return { id: ids[index] ?? '', ...fact, title: englishText(title), advice: englishText(advice) };
      });
      await this.alertRepository.raise(tx, installationId, alerts, at);
      const waiting = await this.alertRepository.lockWaiting(tx, installationId, MAX_WAITING);
      const made = await this.alertRepository.messagesInLastHour(tx, installationId, at);
      for (const alertIds of planMessages(waiting, made)) {
        const [messageId = ''] = this.timeOrderedIds.next(1);
        await this.alertRepository.addMessage(tx, installationId, messageId, alertIds, at);
      }
    });
  }

  /** One alert a day, which begins in the company's morning as for digests, until a person has explained them. */
  private async overdueDiscrepancies(
    installationId: InstallationId,
  ): Promise<{ readonly overdue: readonly AlertFact[]; readonly timeZone: string }> {
    const { overdue: count, alertAfterDays, schedule } = await this.countDiscrepancies.countOpen(installationId);
    const timeZone = schedule?.timeZone ?? 'UTC';
    const { day } = digestsAt(this.clock.now(), timeZone);
    const fact = { kind: 'discrepancies-overdue', fact: day, detail: alertAfterDays.toString(), count } as const;
    return { overdue: count === 0 ? [] : [fact], timeZone };
  }
}

function factQuery({ since, kinds }: StoredAlertSettings, now: Date, timeZone: string): AlertFactQuery {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return {
    kinds,
    digests: digestsAt(now, timeZone),
    since: new Date(Math.max(since.getTime(), before(LOOK_BACK_MS).getTime())),
    nearEnd: before(-NEAR_END_MS),
    inDoubtBefore: before(IN_DOUBT_FOR_MS),
  };
}
