import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { addDays, localDateIn } from '../../../kernel/local-date.js';
import type { ApiToken } from '../../access/api-token.repository.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import type { Member } from '../../access/member.repository.js';
import { MemberReader } from '../../access/member.reader.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { CheckSetup } from '../../mapping/check-setup.js';
import { ReconciliationService } from '../../reconciliation/reconciliation.service.js';
import { InboxService } from '../../review/inbox.service.js';
import { toIssueResponse, type IssueResponse } from '../issues/issues.dto.js';
import type { Principal } from '../http/principal.js';
import { ReadConnection, type ConnectionProgress } from '../connection/read-connection.js';
import type { ReconciliationView } from './reconciliation.section.js';

const MAX_MEMBERS = 100;
const MAX_ISSUES = 10;
const MAX_DISCREPANCIES = 20;

export interface SettingsView {
  readonly caller: Principal;
  readonly connection: ConnectionProgress;
  readonly steps: readonly SetupStep[];
  readonly issues: readonly IssueResponse[];
  readonly hasMoreIssues: boolean;
  readonly reconciliation: ReconciliationView;
  /** All for an admin; for others themselves only. */
  readonly members: readonly Member[];
  readonly hasMoreMembers: boolean;
  /** Undefined for who may not see them. */
  readonly tokens: readonly ApiToken[] | undefined;
}

/** Gathers what the settings page shows. */
@Injectable()
export class ReadSettingsView {
  constructor(
    private readonly readConnection: ReadConnection,
    private readonly checkSetup: CheckSetup,
    private readonly inboxService: InboxService,
    private readonly reconciliationService: ReconciliationService,
    private readonly memberReader: MemberReader,
    private readonly apiTokensService: ApiTokensService,
    private readonly clock: Clock,
  ) {}

  async readView(caller: Principal): Promise<SettingsView> {
    const { installationId } = caller;
    const connection = await this.readConnection.readProgress(installationId);
    const issues = await this.inboxService.list(installationId, 'open', undefined, MAX_ISSUES + 1);
    const members = await this.membersFor(caller);
    return {
      caller,
      connection,
      steps: await this.checkSetup.checkAll(installationId),
      issues: issues.slice(0, MAX_ISSUES).map(toIssueResponse),
      hasMoreIssues: issues.length > MAX_ISSUES,
      reconciliation: await this.reconciliationOf(installationId),
      members: members.slice(0, MAX_MEMBERS),
      hasMoreMembers: members.length > MAX_MEMBERS,
      tokens: caller.role === 'admin' ? await this.apiTokensService.list(installationId) : undefined,
    };
  }

  private async reconciliationOf(installationId: InstallationId): Promise<ReconciliationView> {
    const status = await this.reconciliationService.status(installationId);
    const [lastRun] = await this.reconciliationService.listRuns(installationId, undefined, 1);
    const filter = { state: 'open', class: undefined } as const;
    const open = await this.reconciliationService.listDiscrepancies(
      installationId,
      filter,
      undefined,
      MAX_DISCREPANCIES + 1,
    );
    const now = this.clock.now();
    const today = localDateIn(now, status.timeZone ?? 'UTC');
    const lastMonth = addDays(today, -Number(today.slice(8)));
    return {
      status,
      lastRun,
      classes: await this.reconciliationService.openClasses(installationId),
      discrepancies: open.slice(0, MAX_DISCREPANCIES),
      hasMore: open.length > MAX_DISCREPANCIES,
      months: [lastMonth, today].map((day) => day.slice(0, 7)),
      now,
    };
  }

  /** As in the API, only admins see who the others are. */
  private async membersFor({ installationId, role, memberId }: Principal): Promise<readonly Member[]> {
    if (role === 'admin') {
      return this.memberReader.list(installationId, undefined, MAX_MEMBERS + 1);
    }
    const own = memberId === undefined ? undefined : await this.memberReader.find(installationId, memberId);
    return own === undefined ? [] : [own];
  }
}
