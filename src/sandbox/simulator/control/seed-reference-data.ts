import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { AccountRepository } from '../accounts/account.repository.js';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { EmployeeRepository, type Employee } from '../employees/employee.repository.js';
import { TagGroupRepository } from '../tags/tag-group.repository.js';
import { TagRepository } from '../tags/tag.repository.js';
import { TaxCodeRepository } from '../tax-codes/tax-code.repository.js';
import { VendorRepository } from '../vendors/vendor.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import {
  seededAccounts,
  seededEmployees,
  seededTagGroups,
  seededTaxCodes,
  seededVendors,
  type accountSeeds,
  type employeeSeeds,
  type tagGroupSeeds,
  type taxCodeSeeds,
  type vendorSeeds,
} from './reference-seeds.js';

interface SeededIds {
  /** In the order of the seeds. */
  readonly ids: readonly string[];
}

/** Puts reference data into a company, one statement per kind: all of a call or nothing. */
@Injectable()
export class SeedReferenceData {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly accountRepository: AccountRepository,
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly vendorRepository: VendorRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagRepository: TagRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 404 for an unknown company; 409 when an `externalId` is taken */
  async accounts(companyId: string, seeds: z.output<typeof accountSeeds>): Promise<SeededIds> {
    const accounts = seededAccounts(companyId, seeds, this.simulatorClock.now());
    return this.into(companyId, accounts, async (tx) => {
      assertAllAdded(accounts, await this.accountRepository.addNew(tx, accounts));
    });
  }

  /** @throws ApiError 404 for an unknown company */
  async taxCodes(companyId: string, seeds: z.output<typeof taxCodeSeeds>): Promise<SeededIds> {
    const taxCodes = seededTaxCodes(companyId, seeds, this.simulatorClock.now());
    return this.into(companyId, taxCodes, (tx) => this.taxCodeRepository.add(tx, taxCodes));
  }

  /** Nobody is told of them. @throws ApiError 404; 409 as `accounts` */
  async vendors(companyId: string, seeds: z.output<typeof vendorSeeds>): Promise<SeededIds> {
    const vendors = seededVendors(companyId, seeds, this.simulatorClock.now());
    return this.into(companyId, vendors, async (tx) => {
      assertAllAdded(vendors, await this.vendorRepository.addNew(tx, vendors));
    });
  }

  /** @throws ApiError 404 for an unknown company */
  async employees(companyId: string, seeds: z.output<typeof employeeSeeds>): Promise<readonly Employee[]> {
    const employees = seededEmployees(companyId, seeds);
    await this.into(companyId, employees, (tx) =>
      this.employeeRepository.add(tx, employees, this.simulatorClock.now()),
    );
    return employees;
  }

  /** @throws ApiError 404; 409 when two tags of a group have one code */
  async tagGroups(companyId: string, seeds: z.output<typeof tagGroupSeeds>): Promise<SeededIds> {
    const { groups, tags } = seededTagGroups(companyId, seeds, this.simulatorClock.now());
    return this.into(companyId, groups, async (tx) => {
      await this.tagGroupRepository.add(tx, groups);
      assertAllAdded(tags, await this.tagRepository.addNew(tx, tags));
    });
  }

  private async into(
    companyId: string,
    seeded: readonly { readonly id: string }[],
    add: (tx: Tx) => Promise<void>,
  ): Promise<SeededIds> {
    await this.database.inTransaction('seed reference data', async (tx) => {
      await this.companyRepository.serialize(tx, companyId);
      if ((await this.companyRepository.findByIds(tx, [companyId])).length === 0) {
        throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
      }
      await add(tx);
    });
    return { ids: seeded.map(({ id }) => id) };
  }
}

function assertAllAdded(seeded: readonly { readonly id: string }[], added: ReadonlySet<string>): void {
  const refused = seeded.findIndex(({ id }) => !added.has(id));
  if (refused >= 0) {
    throw new ApiError(409, 'ALREADY_EXISTS', `The key of element ${refused.toString()} is taken.`);
  }
}
