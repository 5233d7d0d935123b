import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { CategoryRepository, type Category } from '../accounts/category.repository.js';
import { ChangeCompanies } from '../companies/change-companies.js';
import { ApiError } from '../wire/api-error.js';
import { MAX_SEEDS, type categorySeeds } from './reference-seeds.js';
import { seedInto, type SeededIds } from './seed-reference-data.js';

/** The categories of a company, as a bookkeeper makes them in the web app. */
@Injectable()
export class ChangeCategories {
  constructor(
    private readonly changeCompanies: ChangeCompanies,
    private readonly categoryRepository: CategoryRepository,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 404 for an unknown company, or an account that is not the company's */
  async add(companyId: string, seeds: z.output<typeof categorySeeds>): Promise<SeededIds> {
    const categories = seeds.map((seed) => ({ ...seed, id: seed.id ?? randomUUID() }));
    return seedInto(this.changeCompanies, companyId, categories, async (tx) => {
      const added = await this.categoryRepository.add(tx, companyId, categories);
      const refused = categories.findIndex(({ id }) => !added.has(id));
      if (refused >= 0) {
        const text = `The account of element ${refused.toString()} is none of the company.`;
        throw new ApiError(404, 'ACCOUNT_NOT_FOUND', text);
      }
    });
  }

  async list(companyId: string): Promise<readonly Category[]> {
    return this.database.inTransaction('list categories', (tx) =>
      this.categoryRepository.list(tx, companyId, MAX_SEEDS),
    );
  }
}
