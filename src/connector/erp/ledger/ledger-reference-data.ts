// The ledger's master data over HTTP, page by page.
import { z } from 'zod';
import type { HttpClient } from '../../../foundation/http/client/http-client.js';
import type { Secret } from '../../../foundation/config/secret.js';
import { parseCurrency } from '../../../kernel/currency.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendor,
  MasterVendorList,
} from '../../bookkeeping/item/master-data.js';
import { ErpUnavailable } from '../erp-ledger.js';
import { ErpReferenceData } from '../erp-reference-data.js';
import { companyPath, LedgerHttp } from './ledger-http.js';
import { accountSchema, companySchema, vendorSchema } from './ledger-wire.schema.js';

const PAGE_ROWS = 1_000;
/** A list that never ends is a fault of the other side. */
const MAX_PAGES = 1_000;

const text = z.string().max(1_000);
const taxCodeSchema = z.object({
  code: text,
  name: text,
  rate: text,
  active: z.boolean(),
  inputAccountCode: text.nullish(),
  outputAccountCode: text.nullish(),
});
const dimensionSchema = z.object({ code: text, name: text, active: z.boolean() });
const dimensionValueSchema = dimensionSchema.extend({ dimensionCode: text });
const masterVendorSchema = vendorSchema.extend({
  registrationNumber: text.nullish(),
  defaultCurrency: text.nullish(),
});

export class LedgerReferenceData extends ErpReferenceData {
  private readonly http: LedgerHttp;

  constructor(client: HttpClient, apiKey: Secret) {
    super();
    this.http = new LedgerHttp(client, apiKey);
  }

  /** The ledger gives its accounts no tax code of their own. */
  override async accounts(company: ErpCompanyId): Promise<readonly MasterAccount[] | undefined> {
    return this.all(accountSchema, company, 'accounts');
  }

  /** The ledger's tax codes do not say whether they are for a reverse charge. */
  override async taxCodes(company: ErpCompanyId): Promise<readonly MasterTaxCode[] | undefined> {
    const rows = await this.all(taxCodeSchema, company, 'tax-codes');
    return rows?.map(({ code, name, rate, active, inputAccountCode, outputAccountCode }) => ({
      code,
      name,
      rate,
      active,
      ...(inputAccountCode != null && { inputAccount: inputAccountCode }),
      ...(outputAccountCode != null && { outputAccount: outputAccountCode }),
    }));
  }

  override async dimensions(company: ErpCompanyId): Promise<readonly MasterDimension[] | undefined> {
    const dimensions = await this.all(dimensionSchema, company, 'dimensions');
    const values = dimensions && (await this.all(dimensionValueSchema, company, 'dimension-values'));
    const byDimension = Map.groupBy(values ?? [], ({ dimensionCode }) => dimensionCode);
    return dimensions?.map((dimension) => ({ ...dimension, values: byDimension.get(dimension.code) ?? [] }));
  }

  override async vendors(company: ErpCompanyId): Promise<MasterVendorList | undefined> {
    const path = companyPath(company);
    const found = await this.http.read(companySchema, { method: 'GET', path });
    const rows = found && (await this.all(masterVendorSchema, company, 'vendors'));
    if (found === undefined || rows === undefined) {
      return undefined;
    }
    const functionalCurrency = parseCurrency(found.functionalCurrency);
    if (functionalCurrency === undefined) {
      throw unusable(
        `the functional currency ${found.functionalCurrency} of company ${company} is not known`,
      );
    }
    return { functionalCurrency, vendors: rows.map(masterVendorOf) };
  }

  /** @throws ErpUnavailable also when the list does not end */
  private async all<Schema extends z.ZodType>(
    schema: Schema,
    company: ErpCompanyId,
    list: string,
  ): Promise<readonly z.output<Schema>[] | undefined> {
    const path = `${companyPath(company)}/${list}`;
    const page = z.object({ data: z.array(schema), nextCursor: z.string().nullable() });
    const rows: z.output<Schema>[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = new URLSearchParams({ limit: PAGE_ROWS.toString() });
      if (after !== undefined) {
        query.set('after', after);
      }
      const answer = await this.http.read(page, { method: 'GET', path, query });
      if (answer === undefined) {
        return undefined;
      }
      rows.push(...answer.data);
      if (answer.nextCursor === null) {
        return rows;
      }
      after = answer.nextCursor;
    }
    throw unusable(`the list ${path} of the ledger does not end`);
  }
}

function masterVendorOf(vendor: z.output<typeof masterVendorSchema>): MasterVendor {
  const { externalId, country, registrationNumber, taxRegistrationNumber } = vendor;
  const currency = parseCurrency(vendor.defaultCurrency ?? '');
  return {
    number: vendor.number,
    name: vendor.name,
    isEmployee: vendor.isEmployee,
    usable: !vendor.blocked && !vendor.archived,
    ...(externalId != null && { externalId }),
    ...(country != null && { country }),
    ...(registrationNumber != null && { registrationNumber }),
    ...(taxRegistrationNumber != null && { taxNumber: taxRegistrationNumber }),
    ...(currency !== undefined && { currency }),
  };
}

function unusable(message: string): ErpUnavailable {
  return new ErpUnavailable({ kind: 'server-error', message });
}
