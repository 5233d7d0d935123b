import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { PostingGuarantee } from '../erp/erp-ledger.js';
import type { ErpDefinition } from '../erp/kit/define-erp.js';
import { guaranteeOf, type ErpCapabilities } from '../erp/kit/capabilities.js';
import { localizedSchema } from './domain/localized-schema.js';
import { ErpConnectionRepository, type ErpConnectionView } from './erp-connection.repository.js';
import { ErpKinds } from './erp-kinds.js';
import { ErpOAuthServers } from './sign-in/erp-oauth.js';
import { ErpRequestBudgetRepository, type ErpLimitation } from './erp-request-budget.repository.js';

/** A kind of ERP that can be connected, and what has to be entered for it. */
export interface ErpKindView {
  readonly kind: string;
  readonly name: string;
  /** JSON Schema. */
  readonly settingsSchema: ErpDefinition['connection']['schema'];
  readonly secrets: readonly string[];
  /** Whether a person can sign in at the ERP itself. */
  readonly hasSignIn: boolean;
}

export interface ErpConnectionReading {
  readonly connection: ErpConnectionView;
  /** Undefined while the ERP is called as usual. */
  readonly limitation: ErpLimitation | undefined;
  /** As people call the ERP. */
  readonly name: string;
  readonly capabilities: ErpCapabilities | undefined;
  /** What follows a post whose outcome is unknown. */
  readonly guarantee: PostingGuarantee['level'] | undefined;
}

@Injectable()
export class ReadErpConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly erpRequestBudgetRepository: ErpRequestBudgetRepository,
    private readonly erpKinds: ErpKinds,
    private readonly erpOAuthServers: ErpOAuthServers,
  ) {}

  /** @param language of the reader: names and texts of the settings are in it where the adapter has them */
  listKinds(language: string): readonly ErpKindView[] {
    return this.erpKinds.list().map((definition) => {
      const { id, connection } = definition;
      return {
        kind: id,
        name: nameIn(language, definition),
        settingsSchema: localizedSchema(connection.schema, language),
        secrets: connection.secrets,
        hasSignIn: connection.auth !== undefined && this.erpOAuthServers.isRegistered(definition),
      };
    });
  }

  /**
   * @param language of the reader; left out: the ERP has the name that it has everywhere
   * @returns without secrets; undefined when nothing is connected
   */
  async read(installationId: InstallationId, language = ''): Promise<ErpConnectionReading | undefined> {
    const found = await this.tenantDatabase.inInstallation('find ERP connection', installationId, async (tx) => {
      const stored = await this.erpConnectionRepository.findCurrent(tx, installationId);
      return (
        stored && {
          stored,
          limitation: await this.erpRequestBudgetRepository.findLimitation(tx, installationId, stored.generation),
        }
      );
    });
    if (found === undefined) {
      return undefined;
    }
    const { secrets, ...connection } = found.stored;
    const definition = this.erpKinds.find(connection.kind);
    const capabilities = definition?.capabilities({ ...connection.settings, ...secrets });
    const guarantee = capabilities && guaranteeOf(capabilities).level;
    const name = definition === undefined ? connection.kind : nameIn(language, definition);
    return { connection, limitation: found.limitation, name, capabilities, guarantee };
  }
}

function nameIn(language: string, { name, names = {} }: ErpDefinition): string {
  return names[language] ?? name;
}
