import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { TokenSet } from '../../foundation/http/oauth/oauth-client.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpUnavailable, type ErpCompany, type ErpFailure } from '../erp/erp-ledger.js';
import type { ErpAccess } from '../erp/kit/erp-access.js';
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
  /** A company is linked in another ERP, and leaving it was not confirmed. */
  | { readonly outcome: 'needs-confirmation' }
  /** A person has to sign in at the ERP first. */
  | { readonly outcome: 'needs-sign-in' };

/** Settings that can be tried. */
export interface PossibleErpConnection {
  readonly outcome: 'possible';
  readonly definition: ErpDefinition;
  /** Secrets included. */
  readonly settings: ErpSettings;
  /** Which ERP they lead to. */
  readonly system: string;
  /** The present connection, where it leads to the same ERP. */
  readonly current: StoredErpConnection | undefined;
  readonly isChangeConfirmed: boolean;
}

export type CheckedErpConnection =
  PossibleErpConnection | Extract<SaveErpConnectionResult, { readonly outcome: 'invalid' | 'needs-confirmation' }>;

interface SignedInErpConnection {
  /** Undefined where the settings have the credentials. */
  readonly access: ErpAccess | undefined;
  readonly tokens?: TokenSet;
  readonly by: string;
}

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
    const checked = await this.check(installationId, wanted);
    if (checked.outcome !== 'possible') {
      return checked;
    }
    const access = this.storedErpConnections.accessFor(installationId, checked);
    return access === 'needs-sign-in' ? { outcome: access } : this.tryAndStore(installationId, checked, { access, by });
  }

  /**
   * As `connect`, with what the ERP has given to a person who has signed in there.
   */
  async connectSignedIn(
    installationId: InstallationId,
    wanted: WantedErpConnection,
    tokens: TokenSet,
    by: string,
  ): Promise<Exclude<SaveErpConnectionResult, { readonly outcome: 'needs-sign-in' }>> {
    const checked = await this.check(installationId, wanted, true);
    return checked.outcome === 'possible'
      ? this.tryAndStore(installationId, checked, { access: unstoredAccess(tokens), tokens, by })
      : checked;
  }

  /**
   * What can be said before anything is tried.
   * @param isSignIn a secret that stands for a sign-in is not kept then
   */
  async check(
    installationId: InstallationId,
    wanted: WantedErpConnection,
    isSignIn = false,
  ): Promise<CheckedErpConnection> {
    const [installation, current] = await this.tenantDatabase.inInstallation(
      'find ERP connection',
      installationId,
      async (tx) => [
        await this.installationRepository.find(tx, installationId),
        await this.erpConnectionRepository.findCurrent(tx, installationId),
      ],
    );
    const definition = this.erpKinds.find(wanted.kind);
    const kept = this.withStoredSecrets(installationId, definition, wanted, current);
    const problems = this.erpKinds.problemsOf(wanted.kind, kept);
    if (definition === undefined || problems.length > 0) {
      return { outcome: 'invalid', problems };
    }
    const isInstead =
      isSignIn &&
      definition.connection.auth?.server(kept) === undefined &&
      this.erpKinds.problemsOf(wanted.kind, wanted.settings).length === 0;
    const settings = isInstead ? wanted.settings : kept;
    const system = systemOf(installationId, definition, settings);
    const isSameErp = leadsTo(current, { kind: wanted.kind, system });
    if (!isSameErp && installation?.erpCompanyId !== undefined && !wanted.isChangeConfirmed) {
      return { outcome: 'needs-confirmation' };
    }
    return {
      outcome: 'possible',
      definition,
      settings,
      system,
      current: isSameErp ? current : undefined,
      isChangeConfirmed: wanted.isChangeConfirmed,
    };
  }

  private async tryAndStore(
    installationId: InstallationId,
    checked: PossibleErpConnection,
    { access, tokens, by }: SignedInErpConnection,
  ): Promise<Exclude<SaveErpConnectionResult, { readonly outcome: 'needs-sign-in' }>> {
    const { definition, settings, system } = checked;
    const companies = await this.tryCredentials(installationId, definition.id, settings, access);
    if ('kind' in companies) {
      return { outcome: 'not-accepted', failure: companies };
    }
    const given = access === undefined ? null : tokens;
    const connection = { ...split(definition, settings), kind: definition.id, system, tokens: given, by };
    return this.tenantDatabase.inInstallation('save ERP connection', installationId, async (tx) => {
      if (!(await this.installationRepository.lockActive(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      const findings = findingsOf(signInChecks(companies.length), this.clock.now());
      // Another person may have ended it since, or connected another ERP.
      const current = await this.erpConnectionRepository.findCurrent(tx, installationId);
      if (leadsTo(current, connection)) {
        await this.erpConnectionRepository.change(tx, installationId, connection);
        await this.erpConnectionRepository.addFindings(tx, installationId, undefined, findings);
        return { outcome: 'connected', companies };
      }
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation?.erpCompanyId !== undefined && !checked.isChangeConfirmed) {
        return { outcome: 'needs-confirmation' };
      }
      await this.erpConnectionRepository.begin(tx, installationId, connection);
      await this.erpConnectionRepository.addFindings(tx, installationId, undefined, findings);
      await this.installationRepository.unlinkErpCompany(tx, installationId);
      return { outcome: 'connected', companies };
    });
  }

  /** Secrets are kept for the ERP that they were entered for, and sent to no other. */
  private withStoredSecrets(
    installationId: InstallationId,
    definition: ErpDefinition | undefined,
    { kind, settings }: WantedErpConnection,
    current: StoredErpConnection | undefined,
  ): ErpSettings {
    if (definition === undefined || current?.kind !== kind) {
      return settings;
    }
    const all = { ...current.secrets, ...settings };
    // An adapter receives only settings that its schema admits.
    const isComplete = this.erpKinds.problemsOf(kind, all).length === 0;
    return isComplete && systemOf(installationId, definition, all) === current.system ? all : settings;
  }

  private async tryCredentials(
    installationId: InstallationId,
    kind: string,
    settings: ErpSettings,
    access: ErpAccess | undefined,
  ): Promise<readonly ErpCompany[] | ErpFailure> {
    const adapter = this.storedErpConnections.openUnstored(installationId, kind, settings, access);
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

function leadsTo(
  connection: StoredErpConnection | undefined,
  { kind, system }: Pick<StoredErpConnection, 'kind' | 'system'>,
): boolean {
  return connection?.kind === kind && connection.system === system;
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

/** Of tokens that nothing can renew yet. */
function unstoredAccess({ accessToken }: TokenSet): ErpAccess {
  const message = 'it does not accept the access that it has just given';
  return {
    accessToken: () => Promise.resolve(accessToken),
    renewed: () => Promise.reject(new ErpUnavailable({ kind: 'authentication', message })),
  };
}
