import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Installation } from './installation.js';

export type InstallationOwner = Pick<Installation, 'applicationId' | 'resource'>;

@Injectable()
export class InstallationRepository {
  /** The live installation of an application for a resource. */
  async find(tx: Tx, owner: InstallationOwner): Promise<Installation | undefined> {
    return tx.maybeOne<Installation>(sql`
      SELECT id, application_id AS "applicationId", resource, status, error_code AS "errorCode", metadata,
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM installation
      WHERE application_id = ${owner.applicationId} AND resource = ${owner.resource} AND deleted_at IS NULL
      FOR UPDATE`);
  }

  /** The live installations of all applications, oldest first. */
  async findByResource(tx: Tx, resource: string): Promise<readonly Installation[]> {
    return tx.rows<Installation>(sql`
      SELECT id, application_id AS "applicationId", resource, status, error_code AS "errorCode", metadata,
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM installation WHERE resource = ${resource} AND deleted_at IS NULL ORDER BY created_at, id`);
  }

  /** @returns the installation that was there already, or the new one */
  async findOrAdd(tx: Tx, fresh: Installation): Promise<Installation> {
    await tx.execute(sql`
      INSERT INTO installation (id, application_id, resource, status, error_code, metadata, created_at, updated_at)
      VALUES (${fresh.id}, ${fresh.applicationId}, ${fresh.resource}, ${fresh.status}, ${fresh.errorCode},
              ${JSON.stringify(fresh.metadata)}::jsonb, ${fresh.createdAt}, ${fresh.updatedAt})
      ON CONFLICT (application_id, resource) WHERE deleted_at IS NULL DO NOTHING`);
    return (await this.find(tx, fresh)) ?? fresh;
  }

  async change(tx: Tx, changed: Installation): Promise<void> {
    await tx.execute(sql`
      UPDATE installation
      SET status = ${changed.status}, error_code = ${changed.errorCode},
          metadata = ${JSON.stringify(changed.metadata)}::jsonb, updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }

  async markDeleted(tx: Tx, id: string, now: Date): Promise<void> {
    await tx.execute(sql`UPDATE installation SET deleted_at = ${now}, updated_at = ${now} WHERE id = ${id}`);
  }
}
