// The lists of a company in one piece: at first by one request; later, since the ledger counts the changes of each, only those that
// have changed.
import { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';
import type { ErpCall } from '../erp-call.js';
import { ErpUnavailable, type ErpMasterData } from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath, readWhole } from './ledger-http.js';
import { accountOf, dimensionsOf, periodOf, taxCodeOf, vendorOf } from './ledger-master-data.js';
import {
  accountSchema,
  companySchema,
  dimensionSchema,
  dimensionValueSchema,
  periodSchema,
  taxCodeSchema,
  vendorSchema,
} from './ledger-wire.schema.js';

/** The ledger takes 1,000 UTF-16 units; a character may need two. */
const DESCRIPTION_LIMIT = 500;

type List = 'accounts' | 'taxCodes' | 'dimensions' | 'vendors' | 'periods';
type Lists = Pick<ErpMasterData, List>;
/** How often each list had changed; without one of a list it counts as changed. */
type Revisions = Readonly<Partial<Record<List, string>>>;

const companyWithRevisions = companySchema.extend({ revisions: z.record(z.string(), z.string()).default({}) });
type Company = z.output<typeof companyWithRevisions>;

/** Null: a list that is too long for this. */
const rowsOf = <Row extends z.ZodType>(row: Row) => z.array(row).nullable();

const companyWithLists = z.object({
  company: companyWithRevisions,
  accounts: rowsOf(accountSchema),
  taxCodes: rowsOf(taxCodeSchema),
  dimensions: rowsOf(dimensionSchema),
  dimensionValues: rowsOf(dimensionValueSchema),
  vendors: rowsOf(vendorSchema),
  periods: rowsOf(periodSchema),
});

/** Of what was read: from before its lists were. */
const revisionsOf = new WeakMap<ErpMasterData, Revisions>();

export class LedgerLists {
  constructor(private readonly http: ErpHttp) {}

  /**
   * @returns undefined for an unknown company
   * @throws ErpUnavailable
   */
  async load(call: ErpCall): Promise<ErpMasterData | undefined> {
    const path = companyPath(call);
    const found = await this.http.read(call, companyWithLists, { method: 'GET', path: `${path}/master-data` });
    if (found === undefined) {
      return undefined;
    }
    const rows = <Row extends z.ZodType>(row: Row, list: string) => readWhole(this.http, call, row, `${path}/${list}`);
    const [accounts, taxCodes, dimensions, values, vendors, periods] = await Promise.all([
      found.accounts ?? rows(accountSchema, 'accounts'),
      found.taxCodes ?? rows(taxCodeSchema, 'tax-codes'),
      found.dimensions ?? rows(dimensionSchema, 'dimensions'),
      found.dimensionValues ?? rows(dimensionValueSchema, 'dimension-values'),
      found.vendors ?? rows(vendorSchema, 'vendors'),
      found.periods ?? rows(periodSchema, 'periods'),
    ]);
    return masterData(call, found.company, {
      accounts: accounts.map(accountOf),
      taxCodes: taxCodes.map(taxCodeOf),
      dimensions: dimensionsOf(dimensions, values),
      vendors: vendors.map(vendorOf),
      periods: periods.flatMap(periodOf),
    });
  }

  /**
   * As `load`.
   * @param known what was read before, by this process; its lists that have not changed since are not read again
   */
  async update(call: ErpCall, known: ErpMasterData): Promise<ErpMasterData | undefined> {
    const before = revisionsOf.get(known);
    if (before === undefined) {
      return this.load(call);
    }
    const path = companyPath(call);
    const found = await this.http.read(call, companyWithRevisions, { method: 'GET', path });
    if (found === undefined) {
      return undefined;
    }
    const now: Revisions = found.revisions;
    const read = <Name extends List>(name: Name, list: () => Promise<Lists[Name]>) =>
      now[name] !== undefined && now[name] === before[name] ? known[name] : list();
    const rows = <Schema extends z.ZodType>(schema: Schema, list: string) =>
      readWhole(this.http, call, schema, `${path}/${list}`);
    const [accounts, taxCodes, dimensions, vendors, periods] = await Promise.all([
      read('accounts', async () => (await rows(accountSchema, 'accounts')).map(accountOf)),
      read('taxCodes', async () => (await rows(taxCodeSchema, 'tax-codes')).map(taxCodeOf)),
      read('dimensions', async () =>
        dimensionsOf(
          ...(await Promise.all([rows(dimensionSchema, 'dimensions'), rows(dimensionValueSchema, 'dimension-values')])),
        ),
      ),
      read('vendors', async () => (await rows(vendorSchema, 'vendors')).map(vendorOf)),
      read('periods', async () => (await rows(periodSchema, 'periods')).flatMap(periodOf)),
    ]);
    return masterData(call, found, { accounts, taxCodes, dimensions, vendors, periods });
  }
}

/** @throws ErpUnavailable for a functional currency that there is not */
function masterData(call: ErpCall, company: Company, lists: Lists): ErpMasterData {
  const functionalCurrency = parseCurrency(company.functionalCurrency);
  if (functionalCurrency === undefined) {
    throw new ErpUnavailable({
      kind: 'server-error',
      message: `the functional currency ${company.functionalCurrency} of company ${call.company} is not known`,
    });
  }
  const read = { functionalCurrency, timeZone: company.timeZone, descriptionLimit: DESCRIPTION_LIMIT, ...lists };
  revisionsOf.set(read, company.revisions);
  return read;
}
