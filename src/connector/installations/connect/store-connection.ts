import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sqlState } from '../../../foundation/database/database-error.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type ErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { MemberRepository } from '../../access/member.repository.js';
import { ApiKey } from '../../platform/platform-http.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import type { TokenPerson } from '../../platform/platform-oauth.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { CredentialRepository } from '../credentials/credential.repository.js';
import type { Installation } from '../domain/installation.js';
import { newEndpointToken } from '../subscription/endpoint-token.js';
import { ErpCompanyAlreadyLinked, InstallationRepository, type ConnectedCompany } from '../installation.repository.js';
import { finishConnectionTask } from '../installations.tasks.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';

const UNIQUE_VIOLATION = '23505';

/** The company is already connected by another organization; its installation stays unchanged. */
export class CompanyAlreadyConnected extends Error {
  override readonly name = 'CompanyAlreadyConnected';
}

/** Stores an authorized installation with its credential and the task that finishes it, in one transaction. */
@Injectable()
export class StoreConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly memberRepository: MemberRepository,
    private readonly taskQueue: TaskQueue,
  ) {}

  /**
   * An earlier installation of the same company is reused with its configuration, in whatever state it is.
   * @param person who consented, and becomes the admin of a company without one; undefined where the platform names no person
   * @throws CompanyAlreadyConnected when an installation of the company that is not uninstalled belongs to another
   * organization
   */
  async storeConnection(
    company: ConnectedCompany,
    credential: TokenSet | ApiKey,
    person: TokenPerson | undefined,
  ): Promise<InstallationId> {
    try {
      return await this.writeRecords(company, credential, person);
    } catch (error) {
      // Of two concurrent first consents for one company the second one finds the installation of the first.
      if (sqlState(error) !== UNIQUE_VIOLATION) {
        throw error;
      }
      return this.writeRecords(company, credential, person);
    }
  }

  private async writeRecords(
    company: ConnectedCompany,
    credential: TokenSet | ApiKey,
    person: TokenPerson | undefined,
  ): Promise<InstallationId> {
    const known = await this.tenantDatabase.acrossInstallations('find installation', (tx) =>
      this.installationRepository.findIdByCompany(tx, company.companyId),
    );
    const id = known ?? toInstallationId(randomUUID());
    await this.tenantDatabase.inInstallation('store installation', id, async (tx) => {
      // Before the row of the installation: the same order of locks as a sign-in.
      await this.memberRepository.lock(tx, id);
      // Else what is read here could be from before an uninstall that what is written here comes after.
      await this.installationRepository.lockActive(tx, id);
      const before = await this.installationRepository.find(tx, id);
      assertSameOrganization(before, company);
      await this.installationRepository.authorize(tx, { ...company, id });
      if (credential instanceof ApiKey) {
        await this.credentialRepository.replaceWithApiKey(tx, id, credential);
      } else {
        await this.credentialRepository.replace(tx, id, credential);
      }
      if (before?.state === 'uninstalled') {
        await this.subscriptionRepository.reset(tx, id, newEndpointToken());
        await this.installationRepository.forgetStoredReceipts(tx, id);
        if (before.erpCompanyId !== undefined) {
          await this.restoreErpCompanyLink(tx, id, before.erpCompanyId);
        }
      }
      if (person !== undefined) {
        const memberId = await this.memberRepository.admit(tx, id, person);
        if (memberId !== undefined) {
          await this.memberRepository.makeFirstAdmin(tx, id, memberId);
        }
      }
      await this.taskQueue.send(tx, finishConnectionTask, { installationId: id }, id);
    });
    return id;
  }

  /**
   * Uninstalling unlinked the company of the sandbox's ledger; unless another installation has linked it since, the link is
   * restored. A connection to an ERP is not: its credentials were destroyed.
   */
  private async restoreErpCompanyLink(tx: Tx, id: InstallationId, company: ErpCompanyId): Promise<void> {
    try {
      await this.installationRepository.linkErpCompany(tx, id, { system: 'default', company }, company);
    } catch (error) {
      if (!(error instanceof ErpCompanyAlreadyLinked)) {
        throw error;
      }
      await this.installationRepository.unlinkErpCompany(tx, id);
    }
  }
}

function assertSameOrganization(before: Installation | undefined, company: ConnectedCompany): void {
  const { organizationId } = company;
  if (
    before?.organizationId !== undefined &&
    organizationId !== undefined &&
    before.organizationId !== organizationId &&
    before.state !== 'uninstalled'
  ) {
    throw new CompanyAlreadyConnected(`company ${company.companyId} is connected by another organization`);
  }
}
