import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { AccountRepository } from '../accounts/account.repository.js';
import { violatedConstraint } from '../../../foundation/database/database-error.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ChangeCompanies } from '../companies/change-companies.js';
import { EmployeeRepository, type Employee } from '../employees/employee.repository.js';
import { TaxCodeRepository } from '../tax-codes/tax-code.repository.js';
import { VendorRepository } from '../vendors/vendor.repository.js';
import { ApiError } from '../wire/api-error.js';
import {
  seededAccounts,
  seededEmployees,
  seededTaxCodes,
  seededVendors,
  type accountSeeds,
  type employeeSeeds,
  type taxCodeSeeds,
  type vendorSeeds,
} from './reference-seeds.js';

export interface SeededIds {
  /** In the order of the seeds. */
  readonly ids: readonly string[];
}

/** Seeds reference data of a company, one statement per kind: all of a call or nothing. */
@Injectable()
export class SeedReferenceData {
  constructor(
    private readonly changeCompanies: ChangeCompanies,
    private readonly accountRepository: AccountRepository,
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly vendorRepository: VendorRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 404 for an unknown company; 409 when an `externalId` is taken */
  async accounts(companyId: string, seeds: z.output<typeof accountSeeds>): Promise<SeededIds> {
    const accounts = seededAccounts(companyId, seeds, this.simulatorClock.now());
    return seedInto(this.changeCompanies, companyId, accounts, async (tx) => {
      assertAllAdded(accounts, await this.accountRepository.add(tx, accounts));
    });
  }

  /** @throws ApiError 404 for an unknown company */
  async taxCodes(companyId: string, seeds: z.output<typeof taxCodeSeeds>): Promise<SeededIds> {
    const taxCodes = seededTaxCodes(companyId, seeds, this.simulatorClock.now());
    return seedInto(this.changeCompanies, companyId, taxCodes, async (tx) => {
      await this.taxCodeRepository.add(tx, taxCodes);
    });
  }

  /** Without a notification. @throws ApiError 404; 409 as `accounts` */
  async vendors(companyId: string, seeds: z.output<typeof vendorSeeds>): Promise<SeededIds> {
    const vendors = seededVendors(companyId, seeds, this.simulatorClock.now());
    return seedInto(this.changeCompanies, companyId, vendors, async (tx) => {
      assertAllAdded(vendors, await this.vendorRepository.add(tx, vendors));
    });
  }

  /** @throws ApiError 404 for an unknown company */
  async employees(companyId: string, seeds: z.output<typeof employeeSeeds>): Promise<readonly Employee[]> {
    const employees = seededEmployees(companyId, seeds);
    await seedInto(this.changeCompanies, companyId, employees, (tx) =>
      this.employeeRepository.add(tx, employees, this.simulatorClock.now()),
    );
    return employees;
  }
}

/** Adds seeds in one transaction. @throws ApiError 404 for an unknown company; 409 when an `id` is taken, also by another company */
export async function seedInto(
  changeCompanies: ChangeCompanies,
  companyId: string,
  seeded: readonly { readonly id: string }[],
  add: (tx: Tx) => Promise<void>,
): Promise<SeededIds> {
  try {
    await changeCompanies.addTo(companyId, add);
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('_id_pk') !== true) throw error;
    throw new ApiError(409, 'ALREADY_EXISTS', 'The id of an element is taken: leave ids out, or choose others.');
  }
  return { ids: seeded.map(({ id }) => id) };
}

/** @throws ApiError 409 that names the first seed that was not added */
export function assertAllAdded(seeded: readonly { readonly id: string }[], added: ReadonlySet<string>): void {
  const refused = seeded.findIndex(({ id }) => !added.has(id));
  if (refused >= 0) {
    throw new ApiError(409, 'ALREADY_EXISTS', `The key of element ${refused.toString()} is taken.`);
  }
}
