import { Injectable } from '@nestjs/common';
import type { AccountingEntryId, InstallationId } from '../../kernel/ids.js';
import { ExplainEntry, type Explanation } from './explain-entry.js';

export type { Explanation, CurrentPlan as Today } from './explain-entry.js';

/** Why entries are in the books as they are. */
@Injectable()
export class ExplanationsService {
  constructor(private readonly explainEntry: ExplainEntry) {}

  /**
   * @returns undefined for an entry that was never sent to the ERP
   * @throws ErpUnavailable, and what asking the platform throws
   */
  async explain(installationId: InstallationId, id: AccountingEntryId): Promise<Explanation | undefined> {
    return this.explainEntry.explain(installationId, id);
  }
}
