import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { ReferenceDataApi } from '../../platform/reference-data-api.js';
import { itemVendorOf, planActivation, type VendorStep } from '../domain/plan-vendors.js';
import type { StepOutcome } from '../domain/sync-run.js';
import { applyRepeatable } from './step-outcome.js';
import type { SyncScope } from './sync-scope.js';
import { VendorMatchRepository } from '../vendor-match.repository.js';

type StepOf<Action extends VendorStep['action']> = Extract<VendorStep, { readonly action: Action }>;

/** The decision for a vendor that the ERP is to create, and has created: its number is written back. */
const DECIDED_BY = 'sync';

/** Carries out one step of a plan of vendors. */
@Injectable()
export class ApplyVendorStep {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly referenceDataApi: ReferenceDataApi,
  ) {}

  /** @throws ErpUnavailable, or an error that is no response of the platform to this step */
  async apply(work: SyncScope, step: VendorStep): Promise<StepOutcome> {
    const { auth, companyId } = work;
    switch (step.action) {
      case 'create':
        return this.create(work, step);
      case 'update':
      case 'unarchive':
        return applyRepeatable(() => this.referenceDataApi.updateVendor(auth, companyId, step.id, step.content));
      case 'activate':
        return this.activate(work, step);
      case 'archive':
        return applyRepeatable(() => this.referenceDataApi.archiveVendor(auth, step.id));
      case 'create-in-erp':
        return this.createInErp(work, step);
    }
  }

  /** A vendor of the ERP needs no approval: it is active at once, whatever state the platform creates it in. */
  private create({ auth, companyId }: SyncScope, { content }: StepOf<'create'>): Promise<StepOutcome> {
    return applyRepeatable(async () => {
      const { id, state } = await this.referenceDataApi.createVendor(auth, companyId, content);
      if (state === 'DRAFT') {
        await this.referenceDataApi.activateVendor(auth, id, content);
      }
    });
  }

  /** An update contains everything that an activation does. */
  private activate({ auth, companyId }: SyncScope, step: StepOf<'activate'>): Promise<StepOutcome> {
    const { id, content, isSame } = step;
    return applyRepeatable(() =>
      isSame
        ? this.referenceDataApi.activateVendor(auth, id, content)
        : this.referenceDataApi.updateVendor(auth, companyId, id, content),
    );
  }

  /** With the same key as an export uses, so that there is one vendor in the ERP whichever comes first. */
  private async createInErp(work: SyncScope, { id, name, vendor }: StepOf<'create-in-erp'>): Promise<StepOutcome> {
    const key = `platform-vendor-${id}`;
    // What a person has decided since the plan was made counts.
    const isMeant = await this.tenantDatabase.inInstallation('vendor to be created', work.installationId, (tx) =>
      this.vendorMatchRepository.claimCreation(tx, work, id, DECIDED_BY),
    );
    if (!isMeant) {
      return { outcome: 'stale' };
    }
    const result = await work.erp.createVendor(itemVendorOf(vendor), key);
    switch (result.outcome) {
      case 'unavailable':
        throw new ErpUnavailable(result.failure);
      case 'refused':
        await this.tenantDatabase.inInstallation('vendor refused', work.installationId, (tx) =>
          this.vendorMatchRepository.markRefused(tx, work, { id, name }, result.message),
        );
        return { outcome: 'refused', detail: `The accounting system did not take it: ${result.message}` };
      case 'created':
      case 'existed': {
        const { code: number } = result.vendor;
        // Stored first: after a crash here the vendor is found by its number, not by its name.
        await this.tenantDatabase.inInstallation('vendor created', work.installationId, (tx) =>
          this.vendorMatchRepository.decide(tx, work, { id, name }, { decision: 'link', number }, DECIDED_BY),
        );
        if (result.vendor.blocked) {
          return { outcome: 'stale' };
        }
        return this.reportNumber(work, planActivation(vendor, { ...result.vendor, number }));
      }
    }
  }

  private async reportNumber(work: SyncScope, step: StepOf<'activate'>): Promise<StepOutcome> {
    const outcome = await this.activate(work, step);
    if (outcome.outcome === 'done') {
      await this.tenantDatabase.inInstallation('vendor settled', work.installationId, (tx) =>
        this.vendorMatchRepository.settle(tx, work, [step.id]),
      );
    }
    return outcome;
  }
}
