import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';

/** Which dimensions are tag groups on the platform. */
export interface DimensionChoice {
  /** From 1; grows with every change. */
  readonly version: number;
  readonly codes: readonly string[];
  /** A person, or `sync` for what was matched or dropped by itself. */
  readonly chosenBy: string;
  readonly chosenAt: Date;
}

@Injectable()
export class DimensionChoiceRepository {
  /** @returns undefined before the first choice */
  async find(tx: Tx, installationId: InstallationId): Promise<DimensionChoice | undefined> {
    return tx.maybeOne<DimensionChoice>(sql`
      SELECT version, codes, chosen_by AS "chosenBy", chosen_at AS "chosenAt" FROM dimension_choice
      WHERE installation_id = ${installationId}`);
  }

  /** @returns false when another person saved after the previous version was read */
  async saveVersion(tx: Tx, installationId: InstallationId, choice: DimensionChoice): Promise<boolean> {
    const { version, codes, chosenBy, chosenAt } = choice;
    const saved = await tx.execute(sql`
      INSERT INTO dimension_choice AS choice (installation_id, version, codes, chosen_by, chosen_at)
      SELECT ${installationId}::uuid, ${version}::integer, ${[...codes]}::text[], ${chosenBy}::text, ${chosenAt}::timestamptz
      WHERE ${version}::integer = 1 OR EXISTS (SELECT FROM dimension_choice WHERE installation_id = ${installationId})
      ON CONFLICT (installation_id) DO UPDATE
        SET version = EXCLUDED.version, codes = EXCLUDED.codes, chosen_by = EXCLUDED.chosen_by, chosen_at = EXCLUDED.chosen_at
        WHERE choice.version = EXCLUDED.version - 1`);
    return saved === 1;
  }
}
