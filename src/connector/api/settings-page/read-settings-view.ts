import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { addDays, localDateIn } from '../../../kernel/local-date.js';
import { ApiTokensService, type ApiToken } from '../../access/api-tokens.service.js';
import { MembersService, type Member } from '../../access/members.service.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { MappingService } from '../../mapping/mapping.service.js';
import { ReconciliationService } from '../../reconciliation/reconciliation.service.js';
import { InboxService } from '../../review/inbox.service.js';
import { toRowResponse, type InboxRowResponse } from '../issues/inbox.dto.js';
import type { Principal } from '../http/principal.js';
import { ReadConnection, type ConnectionProgress } from '../connection/read-connection.js';
import type { ReconciliationView } from './reconciliation.section.js';

const MOST_MEMBERS = 100;
const MOST_CAUSES = 10;
const MOST_DIFFERENCES = 20;

export interface SettingsView {
  readonly caller: Principal;
  readonly connection: ConnectionProgress;
  readonly steps: readonly SetupStep[];
  readonly causes: readonly InboxRowResponse[];
  readonly hasMoreCauses: boolean;
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
    private readonly connections: ReadConnection,
    private readonly mapping: MappingService,
    private readonly inbox: InboxService,
    private readonly reconciliation: ReconciliationService,
    private readonly members: MembersService,
    private readonly tokens: ApiTokensService,
    private readonly clock: Clock,
  ) {}

  async run(caller: Principal): Promise<SettingsView> {
    const { installationId } = caller;
    const connection = await this.connections.run(installationId);
    const causes = await this.inbox.list(installationId, 'open', undefined, MOST_CAUSES + 1);
    const members = await this.membersFor(caller);
    return {
      caller,
      connection,
      steps: await this.mapping.setup(installationId),
      causes: causes.slice(0, MOST_CAUSES).map(toRowResponse),
      hasMoreCauses: causes.length > MOST_CAUSES,
      reconciliation: await this.reconciliationOf(installationId),
      members: members.slice(0, MOST_MEMBERS),
      hasMoreMembers: members.length > MOST_MEMBERS,
      tokens: caller.role === 'admin' ? await this.tokens.list(installationId) : undefined,
    };
  }

  private async reconciliationOf(installationId: InstallationId): Promise<ReconciliationView> {
    const status = await this.reconciliation.status(installationId);
    const [lastRun] = await this.reconciliation.listRuns(installationId, undefined, 1);
    const filter = { state: 'open', class: undefined } as const;
    const open = await this.reconciliation.listDifferences(
      installationId,
      filter,
      undefined,
      MOST_DIFFERENCES + 1,
    );
    const now = this.clock.now();
    const today = localDateIn(now, status.timeZone ?? 'UTC');
    const lastMonth = addDays(today, -Number(today.slice(8)));
    return {
      status,
      lastRun,
      classes: await this.reconciliation.openClasses(installationId),
      differences: open.slice(0, MOST_DIFFERENCES),
      hasMore: open.length > MOST_DIFFERENCES,
      months: [lastMonth, today].map((day) => day.slice(0, 7)),
      now,
    };
  }

  /** As in the API, only admins see who the others are. */
  private async membersFor({ installationId, role, memberId }: Principal): Promise<readonly Member[]> {
    if (role === 'admin') {
      return this.members.list(installationId, undefined, MOST_MEMBERS + 1);
    }
    const own = memberId === undefined ? undefined : await this.members.find(installationId, memberId);
    return own === undefined ? [] : [own];
  }
}
