import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { toInstallationId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import type { TokenSet } from '../platform/platform-oauth.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { CredentialRepository } from './credential.repository.js';
import { InstallationRepository } from './installation.repository.js';
import { finishConnectionTask } from './installations.tasks.js';

/** Stores a consented installation with its tokens and the task that finishes it, in one transaction. */
@Injectable()
export class StoreConnection {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly credentials: CredentialRepository,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  async run(companyId: CompanyId, companyName: string, tokens: TokenSet): Promise<InstallationId> {
    const known = await this.database.acrossInstallations('find installation', (tx) =>
      this.installations.findIdByCompany(tx, companyId),
    );
    const id = known ?? toInstallationId(randomUUID());
    await this.database.inInstallation('store installation', id, async (tx) => {
      await this.installations.authorise(tx, { id, companyId, companyName, at: this.clock.now() });
      await this.credentials.replace(tx, id, tokens);
      await this.tasks.send(tx, finishConnectionTask, { installationId: id }, id);
    });
    return id;
  }
}
