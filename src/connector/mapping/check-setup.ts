import { Injectable } from '@nestjs/common';
import { unlessLate } from '../../foundation/clock/with-timeout.js';
import { Clock } from '../../kernel/clock.js';
import { Bug } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import type { Installation } from '../installations/domain/installation.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { SubscriptionReader } from '../installations/subscription/subscription.reader.js';
import type { SubscriptionSummary } from '../installations/subscription/subscription.repository.js';
import type { VersionedSettings } from './domain/mapping.js';
import { targetsIn } from './domain/targets.js';
import { NO_SETTINGS, setupSteps, type ErpState, type SetupFacts } from './domain/setup.js';
import type { SetupStep } from './domain/setup-step.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingReader } from './mapping.reader.js';

const LATE: ErpState = { state: 'unreachable', kind: 'timeout' };

/**
 * How long a person waits for an ERP. A request to it may take four times as long: what comes later is there for who looks
 * again.
 */
export const ERP_PATIENCE_MS = 5_000;

/** Looks at everything the first export needs, in our tables and in the ERP. */
@Injectable()
export class CheckSetup {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly subscriptionReader: SubscriptionReader,
    private readonly loadMasterData: LoadMasterData,
    private readonly mappingReader: MappingReader,
    private readonly clock: Clock,
  ) {}

  /** An ERP that has not responded within `ERP_PATIENCE_MS` counts as one that does not respond in time. */
  async checkAll(installationId: InstallationId): Promise<readonly SetupStep[]> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined) {
      throw new Bug('the caller of a route has no installation');
    }
    const subscription = await this.subscriptionReader.summary(installationId);
    const latest = await this.mappingReader.latestVersion(installationId);
    return setupSteps({
      connection: installation.state,
      notifications: notificationsOf(subscription),
      erp: (await unlessLate(ERP_PATIENCE_MS, this.queryErp(installation, latest))) ?? LATE,
      settings: latest?.settings,
      rules: latest?.rules ?? [],
      now: this.clock.now(),
    });
  }

  private async queryErp(installation: Installation, latest: VersionedSettings | undefined): Promise<ErpState> {
    if (installation.erpCompanyId === undefined) {
      return { state: 'not-linked' };
    }
    try {
      const books = await this.loadMasterData.loadWithinMinute(installation.id);
      return books === undefined
        ? { state: 'company-not-found' }
        : {
            state: 'reachable',
            targets: targetsIn(books, latest?.settings ?? NO_SETTINGS),
            keepsDrafts: (await this.loadMasterData.canKeepDrafts(installation.id)) !== false,
          };
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { state: 'unreachable', kind: error.failure.kind };
      }
      throw error;
    }
  }
}

function notificationsOf(subscription: SubscriptionSummary | undefined): SetupFacts['notifications'] {
  if (!subscription?.confirmedStatus) {
    return 'none';
  }
  return subscription.confirmedStatus === 'ACTIVE' ? 'on' : 'off';
}
