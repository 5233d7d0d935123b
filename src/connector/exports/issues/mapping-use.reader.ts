import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { KeyFailures } from '../../mapping/domain/suggestions.js';
import { MappingFailureRepository } from './mapping-failure.repository.js';
import { RuleUseRepository } from './rule-use.repository.js';

/** What exports have shown about the mapping. */
@Injectable()
export class MappingUseReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingFailureRepository: MappingFailureRepository,
    private readonly ruleUseRepository: RuleUseRepository,
  ) {}

  /** Keys that made items fail since then, as far as a mapping rule could have helped. */
  async failures(installationId: InstallationId, since: Date): Promise<readonly KeyFailures[]> {
    return this.tenantDatabase.inInstallation('list mapping failures', installationId, (tx) =>
      this.mappingFailureRepository.since(tx, installationId, since),
    );
  }

  /** Ids of the mapping rules that decided something of what was sent to the ERP since then. */
  async rulesInUse(installationId: InstallationId, since: Date): Promise<ReadonlySet<string>> {
    return this.tenantDatabase.inInstallation('list rules in use', installationId, (tx) =>
      this.ruleUseRepository.since(tx, installationId, since),
    );
  }
}
