import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MasterDimension } from '../bookkeeping/item/master-data.js';
import { DimensionChoiceRepository, type DimensionChoice } from './dimension-choice.repository.js';
import { codeKey, MAX_DIMENSIONS, stillActive } from './domain/dimension-selection.js';
import { RequestSyncs } from './request-syncs.js';
import { LoadSyncScope } from './sync/load-sync-scope.js';
import { listOf } from './sync/sync-scope.js';

/** The ERP's dimensions and the current choice. */
export interface DimensionOffer {
  readonly choice: DimensionChoice | undefined;
  readonly dimensions: readonly (Pick<MasterDimension, 'code' | 'name' | 'active'> & {
    readonly values: number;
    readonly isChosen: boolean;
  })[];
}

export type DimensionChoiceResult =
  | { readonly outcome: 'chosen'; readonly choice: DimensionChoice }
  /** Another person has saved meanwhile. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'too-many' }
  /** The ERP has no active dimension with these codes. */
  | { readonly outcome: 'unknown'; readonly codes: readonly string[] };

/** Lets a person choose which dimensions are tag groups on the platform. */
@Injectable()
export class ChooseDimensions {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly loadSyncScope: LoadSyncScope,
    private readonly dimensionChoiceRepository: DimensionChoiceRepository,
    private readonly requestSyncs: RequestSyncs,
    private readonly clock: Clock,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked */
  async offer(installationId: InstallationId): Promise<DimensionOffer> {
    const { erp: connected } = await this.loadSyncScope.loadOf(installationId);
    const erp = listOf(await connected.dimensions());
    const choice = await this.tenantDatabase.readOnce('find dimension choice', installationId, (tx) =>
      this.dimensionChoiceRepository.find(tx, installationId),
    );
    const chosen = new Set(choice?.codes.map(codeKey));
    return {
      choice,
      dimensions: erp.map(({ code, name, active, values }) => ({
        code,
        name,
        active,
        values: values.filter((value) => value.active).length,
        isChosen: chosen.has(codeKey(code)),
      })),
    };
  }

  /**
   * Saves the choice and lets a run carry it out.
   * @param seen version that was edited, 0 before the first
   * @throws ErpUnavailable, SyncBlocked
   */
  async choose(
    installationId: InstallationId,
    seen: number,
    codes: readonly string[],
    by: string,
  ): Promise<DimensionChoiceResult> {
    const scope = await this.loadSyncScope.loadOf(installationId);
    const erp = listOf(await scope.erp.dimensions());
    const found = stillActive(erp, codes);
    const keys = new Set(found.map(({ code }) => codeKey(code)));
    if (new Set(codes.map(codeKey)).size > MAX_DIMENSIONS) {
      return { outcome: 'too-many' };
    }
    const unknown = codes.filter((code) => !keys.has(codeKey(code)));
    if (unknown.length > 0) {
      return { outcome: 'unknown', codes: unknown };
    }
    const choice = {
      version: seen + 1,
      codes: found.map(({ code }) => code),
      chosenBy: by,
      chosenAt: this.clock.now(),
    };
    return this.tenantDatabase.inInstallation('choose dimensions', installationId, async (tx) => {
      if (!(await this.dimensionChoiceRepository.saveVersion(tx, installationId, choice))) {
        return { outcome: 'stale' };
      }
      await this.requestSyncs.request(tx, scope, ['tags'], 'person');
      return { outcome: 'chosen', choice };
    });
  }
}
