import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { startOfPage, toPage } from '../http/page.js';
import type { ApAgeingDto, ApAgeingQuery, ApAgeingRowDto, ApAgeingTotalDto } from './ap-ageing.dto.js';
import { ApAgeingRepository, type VendorPart } from './ap-ageing.repository.js';
import { CompanyDayRepository } from './company-day.repository.js';
import { spread } from './domain/aged-amounts.js';
import { inSnapshot } from '../companies/in-snapshot.js';

/** Amounts owed to vendors, by how long they have been due. */
@Injectable()
export class ShowApAgeing {
  constructor(
    private readonly database: Database,
    private readonly companyDayRepository: CompanyDayRepository,
    private readonly apAgeingRepository: ApAgeingRepository,
  ) {}

  /** @throws Problem 400 for a cursor of another list */
  async showApAgeing(companyId: string, query: ApAgeingQuery): Promise<ApAgeingDto> {
    const start = startOfPage(query, 2);
    return inSnapshot(this.database, 'ap-ageing', async (tx) => {
      const day = await this.companyDayRepository.day(tx, companyId, query.date);
      const parts = await this.apAgeingRepository.parts(tx, companyId, day.date, start);
      const totals = totalsOf(parts.filter((part) => part.vendorNumber === null));
      const page = toPage(query, rowsOf(parts), (row) => [row.vendorNumber, row.currency]);
      const baseTotal = totals.reduce((sum, { total }) => sum + BigInt(total.baseMinor), 0n);
      return { ...day, ...page, totals, baseTotalMinor: baseTotal.toString() };
    });
  }
}

function rowsOf(parts: readonly VendorPart[]): readonly ApAgeingRowDto[] {
  const byVendor = Map.groupBy(parts, ({ vendorNumber, currency }) => JSON.stringify([vendorNumber, currency]));
  return [...byVendor.values()].flatMap((ofVendor) => {
    const { vendorNumber, vendorName, currency } = ofVendor[0] ?? NO_VENDOR;
    return vendorNumber === null ? [] : [{ vendorNumber, vendorName: vendorName ?? '', currency, ...spread(ofVendor) }];
  });
}

const NO_VENDOR = { vendorNumber: null, vendorName: null, currency: '' };

function totalsOf(parts: readonly VendorPart[]): readonly ApAgeingTotalDto[] {
  return [...Map.groupBy(parts, ({ currency }) => currency)].map(([currency, ofCurrency]) => ({
    currency,
    ...spread(ofCurrency),
  }));
}
