// Ready to export? The platform does not tell what is in its queue before there is a job, so this says what is known.
import { Injectable } from '@nestjs/common';
import { unlessLate } from '../../foundation/clock/with-timeout.js';
import type { InstallationId } from '../../kernel/ids.js';
import { message, type Message } from '../../kernel/message.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { CheckSetup, ERP_PATIENCE_MS } from '../mapping/check-setup.js';
import { blockersOf, isInTheWay, type Blocker, type ReplannedEntries, type UnmappedInUse } from './domain/readiness.js';
import { DriftReader } from './drift.reader.js';
import { ListReferences } from './list-references.js';
import { ReplanFailedEntries } from './replan-failed-entries.js';
import { unlessUnreachable } from './unless-unreachable.js';

export interface ExportReadiness {
  /** Nothing is in the way, and all of it could be looked at. */
  readonly isReady: boolean;
  readonly blockers: readonly Blocker[];
  /** Undefined where it could not be looked at. */
  readonly failedEntries: ReplannedEntries | undefined;
  /** What could not be looked at. */
  readonly notChecked: readonly Message[];
}

const LISTS = ['categories', 'tax-codes', 'tags'] as const;
/** More values than a platform has of one list. */
const ALL = { after: undefined, limit: 100_000 };

@Injectable()
export class CheckReadiness {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly checkSetup: CheckSetup,
    private readonly driftReader: DriftReader,
    private readonly listReferences: ListReferences,
    private readonly replanFailedEntries: ReplanFailedEntries,
  ) {}

  /** Takes ten seconds at most, whatever platform and ERP do: what does not respond is named, and what needs it is not checked. */
  async check(installationId: InstallationId): Promise<ExportReadiness> {
    const steps = await this.checkSetup.checkAll(installationId);
    const { findings: drift } = await this.driftReader.read(installationId);
    // A call without a response takes its whole time-out: a second one to the same ERP would only make the reader wait for it again.
    const isErpAway = steps.some(({ check, state }) => check === 'erp-reachable' && state === 'open');
    const unlessAway = async <T>(work: () => Promise<T>) =>
      isErpAway ? undefined : unlessLate(ERP_PATIENCE_MS, unlessUnreachable(work));
    const [unmapped, failedEntries] = await Promise.all([
      unlessAway(() => this.countUnmapped(installationId)),
      unlessAway(() => this.replanFailedEntries.replan(installationId)),
    ]);
    const issues = failedEntries?.issues ?? [];
    const pauseReason = (await this.installationReader.find(installationId))?.pause?.reason;
    const blockers = blockersOf({ pauseReason, steps, unmapped: unmapped ?? [], drift, issues });
    const notChecked = [
      ...(unmapped === undefined ? [message('readiness.not-checked.lists')] : []),
      ...(failedEntries === undefined ? [message('readiness.not-checked.entries')] : []),
    ];
    return { isReady: !blockers.some(isInTheWay) && notChecked.length === 0, blockers, failedEntries, notChecked };
  }

  /** @returns undefined while no ERP company is linked */
  private async countUnmapped(installationId: InstallationId): Promise<readonly UnmappedInUse[] | undefined> {
    const counted: UnmappedInUse[] = [];
    for (const list of LISTS) {
      const filter = { active: true, sort: '-entries' } as const;
      const page = await this.listReferences.list(installationId, list, filter, ALL);
      if (page === undefined) {
        return undefined;
      }
      for (const isPartly of [false, true]) {
        const used = page.rows.filter(
          ({ state, use }) => use && state !== 'mapped' && (state === 'partly') === isPartly,
        );
        const entries = used.reduce((sum, { use }) => sum + (use?.entries ?? 0), 0);
        counted.push({ list, count: used.length, entries, isPartly });
      }
    }
    return counted;
  }
}
