import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { currentActor } from '../../../foundation/database/actor.js';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { MemberRepository } from '../../access/member.repository.js';
import { InstallationRepository } from '../installation.repository.js';

const LIFETIME_DAYS = 7;
/** More than a person needs at the same time; those that are over go with the next one. */
const MAX_CODES = 20;

export interface FirstAdminCode {
  readonly id: string;
  /** Returned only now: its hash is stored. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** What is known of a code that can be used: never the code. */
export interface FirstAdminCodeSummary {
  readonly id: string;
  /** As in the audit log. */
  readonly madeBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type FirstAdminClaim = 'claimed' | 'has-admin' | 'invalid-code';

/**
 * The first admin of a company whose connection names no person: an API key connected it, or the platform did not say who
 * consented. The operator makes a code and gives it to the customer, who enters it once signed in. With the first admin every code
 * is used up.
 */
@Injectable()
export class FirstAdmin {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly memberRepository: MemberRepository,
  ) {}

  /** @returns `has-admin` where no code would be worth anything; undefined for an installation that is not there any more */
  async makeCode(installationId: InstallationId): Promise<FirstAdminCode | 'has-admin' | 'too-many' | undefined> {
    return this.tenantDatabase.inInstallation('make first admin code', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation === undefined || installation.state === 'uninstalled') {
        return undefined;
      }
      if ((await this.memberRepository.findUpToTwoAdmins(tx, installationId)).length > 0) {
        return 'has-admin';
      }
      // An uninstalled company that is connected again has another generation, for which no earlier code counts.
      await tx.execute(sql`
        DELETE FROM first_admin_code WHERE installation_id = ${installationId}
          AND (expires_at <= clock_timestamp() OR generation <> ${installation.generation})`);
      const { count } = await tx.one<{ count: number }>(sql`
        SELECT count(*)::int AS count FROM first_admin_code WHERE installation_id = ${installationId}`);
      if (count >= MAX_CODES) {
        return 'too-many';
      }
      const [id, code] = [randomUUID(), newSecretText()];
      const { expiresAt } = await tx.one<{ expiresAt: Date }>(sql`
        INSERT INTO first_admin_code (installation_id, id, code_hash, generation, made_by, created_at, expires_at)
        VALUES (${installationId}, ${id}, ${sha256(code)}, ${installation.generation}, ${currentActor().name ?? 'operator'},
          clock_timestamp(), clock_timestamp() + make_interval(days => ${LIFETIME_DAYS}))
        RETURNING expires_at AS "expiresAt"`);
      return { id, code, expiresAt };
    });
  }

  /** Those that can be used, newest first; none where there is an admin. @returns undefined for an unknown installation */
  async listCodes(installationId: InstallationId): Promise<readonly FirstAdminCodeSummary[] | undefined> {
    return this.tenantDatabase.inInstallation('list first admin codes', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      return (
        installation &&
        tx.rows<FirstAdminCodeSummary>(sql`
          SELECT id, made_by AS "madeBy", created_at AS "createdAt", expires_at AS "expiresAt" FROM first_admin_code
          WHERE installation_id = ${installationId} AND expires_at > clock_timestamp()
            AND generation = ${installation.generation}
          ORDER BY created_at DESC, id LIMIT ${MAX_CODES}`)
      );
    });
  }

  /** From the next request on. @returns false when there is no such code */
  async revokeCode(installationId: InstallationId, id: string): Promise<boolean> {
    return this.tenantDatabase.inInstallation('revoke first admin code', installationId, async (tx) => {
      const deleted = await tx.execute(sql`
        DELETE FROM first_admin_code WHERE installation_id = ${installationId} AND id = ${id}`);
      return deleted === 1;
    });
  }

  /** @param memberId who claims to be the first admin */
  async claim(installationId: InstallationId, memberId: string, code: string): Promise<FirstAdminClaim> {
    return this.tenantDatabase.inInstallation('claim first admin', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      if ((await this.memberRepository.findUpToTwoAdmins(tx, installationId)).length > 0) {
        return 'has-admin';
      }
      const generation = (await this.installationRepository.find(tx, installationId))?.generation ?? 0;
      const found = await tx.rows(sql`
        SELECT FROM first_admin_code WHERE installation_id = ${installationId} AND code_hash = ${sha256(code)}
          AND generation = ${generation} AND expires_at > clock_timestamp()`);
      if (found.length === 0) {
        return 'invalid-code';
      }
      await tx.execute(sql`DELETE FROM first_admin_code WHERE installation_id = ${installationId}`);
      return (await this.memberRepository.makeFirstAdmin(tx, installationId, memberId)) ? 'claimed' : 'has-admin';
    });
  }
}
