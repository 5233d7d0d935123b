// The lists of a company in one piece. The ledger counts the changes of each, so that only a list that has changed is read again.
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
/** How often each list had changed; without one of a list it counts as changed. */
type Revisions = Readonly<Partial<Record<List, string>>>;

const companyWithRevisions = companySchema.extend({ revisions: z.record(z.string(), z.string()).default({}) });
/** Of what was read: from before its lists were. */
const revisionsOf = new WeakMap<ErpMasterData, Revisions>();

export class LedgerLists {
  constructor(private readonly http: ErpHttp) {}

  /**
   * @param known what was read before, by this process; its lists that have not changed since are not read again
   * @returns undefined for an unknown company
   * @throws ErpUnavailable
   */
  async load(call: ErpCall, known?: ErpMasterData): Promise<ErpMasterData | undefined> {
    const path = companyPath(call);
    const found = await this.http.read(call, companyWithRevisions, { method: 'GET', path });
    if (found === undefined) {
      return undefined;
    }
    const functionalCurrency = parseCurrency(found.functionalCurrency);
    if (functionalCurrency === undefined) {
      throw new ErpUnavailable({
        kind: 'server-error',
        message: `the functional currency ${found.functionalCurrency} of company ${call.company} is not known`,
      });
    }
    const revisions: Revisions = found.revisions;
    const before = known && revisionsOf.get(known);
    const read = <Name extends List>(name: Name, list: () => Promise<ErpMasterData[Name]>) =>
      known !== undefined && revisions[name] !== undefined && revisions[name] === before?.[name] ? known[name] : list();
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
    const masterData = {
      functionalCurrency,
      timeZone: found.timeZone,
      descriptionLimit: DESCRIPTION_LIMIT,
      accounts,
      taxCodes,
      dimensions,
      vendors,
      periods,
    };
    revisionsOf.set(masterData, revisions);
    return masterData;
  }
}
