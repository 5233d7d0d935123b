import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Permanent } from '../../../kernel/faults.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { MemberRepository } from '../../access/member.repository.js';
import { KeyRingService } from '../credentials/key-ring.service.js';
import { InstallationRepository } from '../installation.repository.js';

const CODE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

export interface FirstAdminCode {
  readonly code: string;
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
    private readonly keyRingService: KeyRingService,
    private readonly clock: Clock,
  ) {}

  /** @returns `has-admin` where no code would be worth anything; undefined for an installation that is not there any more */
  async makeCode(installationId: InstallationId): Promise<FirstAdminCode | 'has-admin' | undefined> {
    return this.tenantDatabase.inInstallation('make first admin code', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation === undefined || installation.state === 'uninstalled') {
        return undefined;
      }
      if ((await this.memberRepository.findUpToTwoAdmins(tx, installationId)).length > 0) {
        return 'has-admin';
      }
      const expiresAt = new Date(this.clock.now().getTime() + CODE_LIFETIME_MS);
      const row = codeRow(installationId, installation.generation);
      return { code: this.keyRingService.seal('member.first_admin', row, expiresAt.toISOString()), expiresAt };
    });
  }

  /** @param memberId who claims to be the first admin */
  async claim(installationId: InstallationId, memberId: string, code: string): Promise<FirstAdminClaim> {
    return this.tenantDatabase.inInstallation('claim first admin', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      const generation = (await this.installationRepository.find(tx, installationId))?.generation ?? 0;
      if (!this.isValid(codeRow(installationId, generation), code)) {
        return 'invalid-code';
      }
      return (await this.memberRepository.makeFirstAdmin(tx, installationId, memberId)) ? 'claimed' : 'has-admin';
    });
  }

  private isValid(row: string, code: string): boolean {
    try {
      return new Date(this.keyRingService.unseal('member.first_admin', row, code)) > this.clock.now();
    } catch (error) {
      if (error instanceof Permanent) {
        return false;
      }
      throw error;
    }
  }
}

/** An uninstalled company that is connected again has another generation, for which no earlier code counts. */
function codeRow(installationId: InstallationId, generation: number): string {
  return `${installationId} ${generation.toString()}`;
}
