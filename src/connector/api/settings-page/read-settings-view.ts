import { Injectable } from '@nestjs/common';
import type { ApiToken } from '../../access/api-token.repository.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { MemberReader, type Member } from '../../access/member.reader.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { CheckSetup } from '../../mapping/check-setup.js';
import { InboxReader } from '../../exports/issues/inbox.reader.js';
import { toIssueResponse, type IssueResponse } from '../issues/issues.dto.js';
import type { Principal } from '../http/principal.js';
import { ReadConnection, type ConnectionProgress } from '../connection/read-connection.js';
import { ReadReconciliationView } from './read-reconciliation-view.js';
import type { ReconciliationView } from './reconciliation.section.js';

const MAX_MEMBERS = 100;
const MAX_ISSUES = 10;

export interface SettingsView {
  readonly caller: Principal;
  readonly connection: ConnectionProgress;
  readonly steps: readonly SetupStep[];
  readonly issues: readonly IssueResponse[];
  readonly hasMoreIssues: boolean;
  readonly reconciliation: ReconciliationView;
  /** All of them for an admin; for others only the caller. */
  readonly members: readonly Member[];
  readonly hasMoreMembers: boolean;
  readonly hasAdmin: boolean;
  /** Undefined for callers that are no admins. */
  readonly tokens: readonly ApiToken[] | undefined;
}

/** Reads everything that the settings page shows. */
@Injectable()
export class ReadSettingsView {
  constructor(
    private readonly readConnection: ReadConnection,
    private readonly checkSetup: CheckSetup,
    private readonly inboxReader: InboxReader,
    private readonly readReconciliationView: ReadReconciliationView,
    private readonly memberReader: MemberReader,
    private readonly apiTokensService: ApiTokensService,
  ) {}

  async readView(caller: Principal): Promise<SettingsView> {
    const { installationId } = caller;
    const connection = await this.readConnection.readProgress(installationId);
    const issues = await this.inboxReader.list(installationId, 'open', undefined, MAX_ISSUES + 1);
    const members = await this.membersFor(caller);
    return {
      caller,
      connection,
      steps: await this.checkSetup.checkAll(installationId),
      issues: issues.slice(0, MAX_ISSUES).map(toIssueResponse),
      hasMoreIssues: issues.length > MAX_ISSUES,
      reconciliation: await this.readReconciliationView.readView(installationId),
      members: members.slice(0, MAX_MEMBERS),
      hasMoreMembers: members.length > MAX_MEMBERS,
      hasAdmin: await this.memberReader.hasAdmin(installationId),
      tokens: caller.role === 'admin' ? await this.apiTokensService.list(installationId) : undefined,
    };
  }

  /** As in the API, only admins see other members. */
  private async membersFor({ installationId, role, memberId }: Principal): Promise<readonly Member[]> {
    if (role === 'admin') {
      return this.memberReader.list(installationId, undefined, MAX_MEMBERS + 1);
    }
    const own = memberId === undefined ? undefined : await this.memberReader.find(installationId, memberId);
    return own === undefined ? [] : [own];
  }
}
