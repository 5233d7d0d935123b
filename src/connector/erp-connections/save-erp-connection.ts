import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpUnavailable, type ErpCompany, type ErpFailure } from '../erp/erp-ledger.js';
import type { ErpDefinition, ErpSettings } from '../erp/kit/define-erp.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { findingsOf, signInChecks } from './domain/erp-findings.js';
import {
  ErpConnectionRepository,
  type NewErpConnection,
  type StoredErpConnection,
} from './erp-connection.repository.js';
import { ErpKinds, type SettingProblem } from './erp-kinds.js';
import { StoredErpConnections } from './stored-erp-connections.js';

export interface WantedErpConnection {
  readonly kind: string;
  /** Secrets included; a secret that is left out stays as it is, while kind and ERP do. */
  readonly settings: ErpSettings;
  /** Whether the person knows that entries of another ERP stay there. */
  readonly isChangeConfirmed: boolean;
}

export type SaveErpConnectionResult =
  | { readonly outcome: 'connected'; readonly companies: readonly ErpCompany[] }
  | { readonly outcome: 'not-installed' }
  | { readonly outcome: 'invalid'; readonly problems: readonly SettingProblem[] }
  /** The ERP does not let these credentials in, or does not respond. */
  | { readonly outcome: 'not-accepted'; readonly failure: ErpFailure }
  /** A company is linked in another ERP, and nobody has said that leaving it is meant. */
  | { readonly outcome: 'needs-confirmation' };

/** Connects an installation to its ERP, or changes settings and credentials of the connection. */
@Injectable()
export class SaveErpConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly storedErpConnections: StoredErpConnections,
    private readonly erpKinds: ErpKinds,
    private readonly clock: Clock,
  ) {}

  /**
   * Nothing is stored before the ERP has let the credentials in. With another ERP the linked company is unlinked; what was
   * posted stays with the connection before.
   * @param by who does it, for the record
   */
  async connect(
    installationId: InstallationId,
    wanted: WantedErpConnection,
    by: string,
  ): Promise<SaveErpConnectionResult> {
    const current = await this.tenantDatabase.inInstallation('find ERP connection', installationId, (tx) =>
      this.erpConnectionRepository.findCurrent(tx, installationId),
    );
    const definition = this.erpKinds.find(wanted.kind);
    const settings = this.withKeptSecrets(installationId, definition, wanted, current);
    const problems = this.erpKinds.problemsOf(wanted.kind, settings);
    if (definition === undefined || problems.length > 0) {
      return { outcome: 'invalid', problems };
    }
    const companies = await this.tryCredentials(installationId, wanted.kind, settings);
    if ('kind' in companies) {
      return { outcome: 'not-accepted', failure: companies };
    }
    const connection = {
      ...split(definition, settings),
      kind: wanted.kind,
      system: systemOf(installationId, definition, settings),
      by,
    };
    const isSameErp = current?.kind === wanted.kind && current.system === connection.system;
    return this.tenantDatabase.inInstallation('save ERP connection', installationId, async (tx) => {
      if (!(await this.installationRepository.lockActive(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      const findings = findingsOf(signInChecks(companies.length), this.clock.now());
      if (isSameErp) {
        await this.erpConnectionRepository.change(tx, installationId, connection);
        await this.erpConnectionRepository.addFindings(tx, installationId, undefined, findings);
        return { outcome: 'connected', companies };
      }
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation?.erpCompanyId !== undefined && !wanted.isChangeConfirmed) {
        return { outcome: 'needs-confirmation' };
      }
      await this.erpConnectionRepository.begin(tx, installationId, connection);
      await this.erpConnectionRepository.addFindings(tx, installationId, undefined, findings);
      await this.installationRepository.unlinkErpCompany(tx, installationId);
      return { outcome: 'connected', companies };
    });
  }

  /** Secrets are kept for the ERP that they were entered for, and sent to no other. */
  private withKeptSecrets(
    installationId: InstallationId,
    definition: ErpDefinition | undefined,
    { kind, settings }: WantedErpConnection,
    current: StoredErpConnection | undefined,
  ): ErpSettings {
    if (definition === undefined || current?.kind !== kind) {
      return settings;
    }
    const all = { ...current.secrets, ...settings };
    // An adapter is told of settings only as its schema admits them.
    const isComplete = this.erpKinds.problemsOf(kind, all).length === 0;
    return isComplete && systemOf(installationId, definition, all) === current.system ? all : settings;
  }

  private async tryCredentials(
    installationId: InstallationId,
    kind: string,
    settings: ErpSettings,
  ): Promise<readonly ErpCompany[] | ErpFailure> {
    const adapter = this.storedErpConnections.openUnstored(installationId, kind, settings);
    try {
      return await adapter.listCompanies(this.storedErpConnections.callScope());
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return error.failure;
      }
      throw error;
    } finally {
      adapter.close();
    }
  }
}

function systemOf(installationId: InstallationId, definition: ErpDefinition, settings: ErpSettings): string {
  return `${definition.id}:${definition.systemOf(settings) ?? installationId}`;
}

function split(definition: ErpDefinition, settings: ErpSettings): Pick<NewErpConnection, 'settings' | 'secrets'> {
  const isSecret = (name: string) => definition.connection.secrets.includes(name);
  const some = (wanted: boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => isSecret(name) === wanted));
  return { settings: some(false), secrets: some(true) };
}
