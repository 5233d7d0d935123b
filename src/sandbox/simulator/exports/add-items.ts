import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { CompanyReader } from '../companies/company.reader.js';
import { ApiError } from '../wire/api-error.js';
import { readNewItems, type ItemCheck } from './export-item.js';
import { ExportItemRepository } from './export-item.repository.js';

/** Adds items to the export queue of a company. */
@Injectable()
export class AddItems {
  constructor(
    private readonly exportItemRepository: ExportItemRepository,
    private readonly companyReader: CompanyReader,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorConfig: SimulatorConfig,
  ) {}

  /**
   * @param text JSON list of version 3 items, kept letter by letter
   * @returns ids of the items, in the order of the list
   * @throws ApiError 404 for an unknown company; 400 for items that the check refuses; 409 when an id is taken
   */
  async addItems(companyId: string, text: string, check: ItemCheck): Promise<readonly string[]> {
    const company = await this.companyReader.get(companyId);
    return this.database.inTransaction('add items', async (tx) => {
      const now = this.simulatorClock.now();
      const items = readNewItems(text, company.id, { now, site: this.simulatorConfig.publicUrl }, check);
      const ids = items.map((item) => item.id);
      const taken = await this.exportItemRepository.existingIds(tx, ids, undefined);
      if (taken.size > 0 || new Set(ids).size < ids.length) {
        throw itemExists([...taken].join(', '));
      }
      if (!(await this.exportItemRepository.add(tx, items, now))) {
        throw itemExists('it was added at the same moment');
      }
      return ids;
    });
  }
}

function itemExists(which: string): ApiError {
  return new ApiError(409, 'ITEM_EXISTS', `an accountingEntryId exists already: ${which}`);
}
