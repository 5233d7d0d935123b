import { ENGLISH } from '../../messages/texts.js';
import { Injectable } from '@nestjs/common';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { CheckSetup } from '../../mapping/check-setup.js';
import { ReadErpConnection } from '../../erp-connections/read-erp-connection.js';
import { InboxReader } from '../../exports/issues/inbox.reader.js';
import { toIssueResponse, type IssueResponse } from '../issues/issues.dto.js';
import type { Principal } from '../http/principal.js';
import { ReadConnection, type ConnectionProgress } from '../connection/read-connection.js';
import type { ErpView } from './erp.section.js';
import { ReadPeopleView, type PeopleView } from './read-people-view.js';
import { ReadReconciliationView } from './read-reconciliation-view.js';
import type { ReconciliationView } from './reconciliation.section.js';

const MAX_ISSUES = 10;

export interface SettingsView extends PeopleView {
  readonly caller: Principal;
  readonly connection: ConnectionProgress;
  readonly erp: ErpView;
  readonly steps: readonly SetupStep[];
  readonly issues: readonly IssueResponse[];
  readonly hasMoreIssues: boolean;
  readonly reconciliation: ReconciliationView;
}

/** Reads everything that the settings page shows. */
@Injectable()
export class ReadSettingsView {
  constructor(
    private readonly readConnection: ReadConnection,
    private readonly readErpConnection: ReadErpConnection,
    private readonly checkSetup: CheckSetup,
    private readonly inboxReader: InboxReader,
    private readonly readReconciliationView: ReadReconciliationView,
    private readonly readPeopleView: ReadPeopleView,
  ) {}

  /** @param sessionId of the request */
  async readView(caller: Principal, sessionId: string | undefined): Promise<SettingsView> {
    const { installationId } = caller;
    const connection = await this.readConnection.readProgress(installationId);
    const issues = await this.inboxReader.list(installationId, 'open', undefined, MAX_ISSUES + 1);
    return {
      ...(await this.readPeopleView.readView(caller, sessionId)),
      caller,
      connection,
      erp: {
        reading: await this.readErpConnection.read(installationId),
        kinds: this.readErpConnection.listKinds(),
      },
      steps: await this.checkSetup.checkAll(installationId),
      issues: issues.slice(0, MAX_ISSUES).map((row) => toIssueResponse(row, ENGLISH)),
      hasMoreIssues: issues.length > MAX_ISSUES,
      reconciliation: await this.readReconciliationView.readView(installationId),
    };
  }
}
