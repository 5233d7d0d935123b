// The ERP master data that one job is mapped against: read once, by this job or recently by another; exchange rates as items
// need them.
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { addDays, type LocalDate } from '../../../kernel/local-date.js';
import {
  MAX_RATE_AGE_DAYS,
  indexContext,
  type BookkeepingContext,
  type BookkeepingPolicies,
  type ErpVendor,
  type ExchangeRate,
} from '../../bookkeeping/item/bookkeeping-context.js';
import { ownDayOf } from '../../bookkeeping/item/item-dates.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import type { ErpMasterData } from '../../erp/erp-ledger.js';
import type { MappingVersion } from '../../mapping/domain/mapping.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';

interface RateSpan {
  readonly currency: CurrencyCode;
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export class JobMasterData {
  private vendors: readonly ErpVendor[];
  private readonly vendorsByPlatformId = new Map<string, ErpVendor>();
  private rates: readonly ExchangeRate[] = [];
  private readonly loadedRates = new Map<CurrencyCode, RateSpan>();
  private context: BookkeepingContext | undefined;
  private mustReload = false;
  /** Until it settles, the context of another chunk is prepared. */
  private preparing: Promise<unknown> = Promise.resolve();

  /** @param areReused the lists were read for another job and may be outdated */
  constructor(
    private readonly erp: ConnectedErp,
    private masterData: ErpMasterData,
    private readonly mapping: MappingVersion,
    private areReused = false,
  ) {
    this.vendors = masterData.vendors;
  }

  /** Lists that were read for another job are read again before the next plan. @returns whether they were */
  expireReusedMasterData(): boolean {
    this.mustReload = this.areReused;
    return this.areReused;
  }

  /** The next plan uses lists that were read for another job. */
  get usesReusedMasterData(): boolean {
    return this.areReused && !this.mustReload;
  }

  get policies(): BookkeepingPolicies {
    return this.mapping.settings.policies;
  }

  /**
   * The context for planning these items, with every rate they may need. One after the other: a chunk whose items are planned again does
   * not take away the rates that are read for the next one.
   * @throws ErpUnavailable
   */
  contextFor(items: readonly ChunkItem[]): Promise<BookkeepingContext> {
    const prepared = this.preparing.then(() => this.prepareContext(items));
    this.preparing = prepared.catch(() => undefined);
    return prepared;
  }

  private async prepareContext(items: readonly ChunkItem[]): Promise<BookkeepingContext> {
    if (this.mustReload) {
      await this.readLists();
    }
    for (const span of this.spansOf(items)) {
      await this.loadRates(span);
    }
    const { accounts } = this.mapping.settings;
    const { payablesNeedVendor, taxDetails = false, rates, limits } = this.erp.capabilities;
    this.context ??= indexContext({
      ...this.masterData,
      payablesNeedVendor,
      taxDetails,
      linesPerEntry: limits.linesPerEntry,
      vendors: this.vendors,
      vendorsByPlatformId: this.vendorsByPlatformId,
      rates: this.rates,
      ratesAreUploaded: !rates,
      settings: accounts,
      policies: this.policies,
      rules: this.mapping.rules,
      mappingVersion: this.mapping.version,
    });
    return this.context;
  }

  /** Adds a vendor that was created or found in the ERP as the platform's vendor of this id. */
  addVendor(platformVendorId: string, vendor: ErpVendor): void {
    this.vendorsByPlatformId.set(platformVendorId, vendor);
    if (!this.vendors.some((known) => known.id === vendor.id)) {
      this.vendors = [...this.vendors, vendor];
    }
    this.context = undefined;
  }

  /** Resolves the platform's vendor as the ERP's vendor of this number. @returns false when the ERP no longer has it */
  rememberVendor(platformVendorId: string, code: string): boolean {
    const vendor = this.vendors.find((known) => known.code === code);
    if (vendor !== undefined && !this.vendorsByPlatformId.has(platformVendorId)) {
      this.addVendor(platformVendorId, vendor);
    }
    return vendor !== undefined;
  }

  private async readLists(): Promise<void> {
    const masterData = await this.erp.loadMasterData();
    this.areReused = false;
    this.mustReload = false;
    if (masterData === undefined) {
      return;
    }
    this.masterData = masterData;
    this.vendors = masterData.vendors;
    this.context = undefined;
    for (const [platformVendorId, vendor] of this.vendorsByPlatformId) {
      this.addVendor(platformVendorId, masterData.vendors.find(({ id }) => id === vendor.id) ?? vendor);
    }
  }

  private async loadRates(needed: RateSpan): Promise<void> {
    const have = this.loadedRates.get(needed.currency);
    if (have !== undefined && have.from <= needed.from && needed.to <= have.to) {
      return;
    }
    const span = have === undefined ? needed : widest(have, needed);
    const found = await this.erp.findRates({
      currencies: [span.currency],
      from: span.from,
      to: span.to,
    });
    this.rates = [...this.rates.filter((rate) => rate.from !== span.currency), ...found];
    this.loadedRates.set(span.currency, span);
    this.context = undefined;
  }

  /** Per foreign wallet currency, the days whose rates these items may need. */
  private spansOf(items: readonly ChunkItem[]): readonly RateSpan[] {
    const spans = new Map<CurrencyCode, RateSpan>();
    for (const entry of items) {
      const span =
        'item' in entry ? this.spanOf(entry.item.amount.inWalletCurrency.currency, entry.item.date) : undefined;
      if (span !== undefined) {
        const known = spans.get(span.currency);
        spans.set(span.currency, known === undefined ? span : widest(known, span));
      }
    }
    return [...spans.values()];
  }

  private spanOf(code: string, date: string): RateSpan | undefined {
    const currency = parseCurrency(code);
    const day = ownDayOf(date, this.masterData.timeZone);
    // An unreadable amount or date needs no rate: planning the item reports the problem.
    if (currency === undefined || currency === this.masterData.functionalCurrency || day === undefined) {
      return undefined;
    }
    return { currency, from: addDays(day, -MAX_RATE_AGE_DAYS), to: day };
  }
}

function widest(a: RateSpan, b: RateSpan): RateSpan {
  return { currency: a.currency, from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to };
}
