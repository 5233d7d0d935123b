// Accounts, taxes, parties, periods and analytic accounts of a company, each list read to its end.
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { formatDecimal } from '../../../kernel/decimal.js';
import { toErpAccountId, toErpTaxCodeId, toErpVendorId } from '../../../kernel/ids.js';
import type { ErpAccount, ErpPeriod, ErpTaxCode, ErpVendor } from '../../bookkeeping/item/bookkeeping-context.js';
import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendor,
} from '../../bookkeeping/item/master-data.js';
import type { ErpCall } from '../erp-call.js';
import { todayAt, type CompanyFacts } from './tryton-companies.js';
import type { Domain, TrytonRpc } from './tryton-rpc.js';
import { day, decimal, recordName, text } from './tryton-values.js';

const coded = z.object({ code: text.nullish() });
const accountSchema = z.object({
  id: z.int(),
  code: text.nullish(),
  name: text,
  closed: z.boolean().nullish(),
  type: z.int().nullish(),
  start_date: day.nullish(),
  end_date: day.nullish(),
  'taxes.': z.array(z.object({ name: text })),
});
const taxSchema = z.object({
  id: z.int(),
  name: text,
  description: text.nullish(),
  rate: decimal.nullish(),
  type: text,
  active: z.boolean(),
  'invoice_account.': coded.nullish(),
});
const partySchema = z.object({
  id: z.int(),
  code: text,
  name: text.nullish(),
  active: z.boolean(),
  account_payable: z.int().nullish(),
  'tax_identifier.': z.object({ code: text }).nullish(),
  'addresses.': z.array(z.object({ 'country.': coded.nullish() })),
});
const employeeSchema = z.object({ id: z.int(), party: z.int() });
const periodSchema = z.object({ id: z.int(), name: text, start_date: day, end_date: day, state: text });
const analyticSchema = z.object({
  id: z.int(),
  code: text.nullish(),
  name: text,
  type: text,
  state: text,
  root: z.int().nullish(),
});

/** For bookkeeping and for the platform's users at once; unknown companies have empty lists. */
export class TrytonMasterData {
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly clock: Clock,
    /** Whether analytic accounts are in use. */
    private readonly analytic: boolean,
  ) {}

  /** Accounts without a type are headings: nothing is posted to them. @throws ErpUnavailable */
  async accounts(call: ErpCall, facts: CompanyFacts): Promise<readonly (ErpAccount & MasterAccount)[]> {
    const rows = await this.rpc.readAll(call, 'account.account', accountSchema, inCompany(call));
    const today = todayAt(this.clock, facts);
    return rows.map(({ id, code, name, closed, type, start_date: from, end_date: to, 'taxes.': taxes }) => ({
      externalId: toErpAccountId(recordName('account.account', id)),
      code: code ?? '',
      name,
      active: type != null && closed !== true && (from ?? today) <= today && today <= (to ?? today),
      ...(taxes.length < 2 && { taxCode: taxes[0]?.name ?? null }),
    }));
  }

  /**
   * Percentages; of a compound tax, its parts. Taxes have no code: their name is short, and bookkeepers know them by it.
   * @throws ErpUnavailable
   */
  async taxCodes(call: ErpCall): Promise<readonly (ErpTaxCode & MasterTaxCode)[]> {
    const domain = [...inCompany(call), ['type', '=', 'percentage']];
    const rows = await this.rpc.readAll(call, 'account.tax', taxSchema, domain);
    return rows.map(({ id, name, description, rate, active, 'invoice_account.': account }) => ({
      externalId: toErpTaxCodeId(recordName('account.tax', id)),
      code: name,
      name: description ?? name,
      rate: rate == null ? '0' : formatDecimal(rate),
      active,
      ...(account?.code != null && { inputAccount: account.code }),
    }));
  }

  /** @throws ErpUnavailable */
  async vendors(call: ErpCall, domain: Domain = []): Promise<readonly (ErpVendor & MasterVendor)[]> {
    const rows = await this.rpc.readAll(call, 'party.party', partySchema, domain);
    const employees = await this.rpc.readAll(call, 'company.employee', employeeSchema, inCompany(call));
    const employed = new Set(employees.map(({ party }) => party));
    return rows.map(({ id, code, name, active, account_payable: payables, ...row }) => {
      const country = row['addresses.'].flatMap((address) => address['country.']?.code ?? [])[0];
      const taxNumber = row['tax_identifier.']?.code;
      return {
        id: toErpVendorId(recordName('party.party', id)),
        code,
        number: code,
        name: name ?? code,
        blocked: !active,
        usable: active,
        isEmployee: employed.has(id),
        ...(country !== undefined && { country }),
        ...(taxNumber !== undefined && { taxNumber }),
        ...(payables != null && { payablesAccount: recordName('account.account', payables) }),
      };
    });
  }

  /** @throws ErpUnavailable */
  async periods(call: ErpCall): Promise<readonly ErpPeriod[]> {
    const domain = [...inCompany(call), ['type', '=', 'standard']];
    const rows = await this.rpc.readAll(call, 'account.period', periodSchema, domain);
    return rows.map(({ name, start_date: from, end_date: to, state }) => ({ name, from, to, open: state === 'open' }));
  }

  /** Roots of analytic accounts, with the accounts below them that take postings. @throws ErpUnavailable */
  async dimensions(call: ErpCall): Promise<readonly MasterDimension[]> {
    if (!this.analytic) {
      return [];
    }
    const rows = await this.rpc.readAll(call, 'analytic_account.account', analyticSchema, inCompany(call));
    const valueOf = ({ code, name, state }: (typeof rows)[number]) => ({
      code: code ?? '',
      name,
      active: state === 'opened',
    });
    const usable = rows.filter(({ code }) => code != null);
    const roots = usable.filter(({ type }) => type === 'root');
    return roots.map((root) => ({
      ...valueOf(root),
      values: usable.filter((row) => row.type === 'normal' && row.root === root.id).map(valueOf),
    }));
  }
}

function inCompany({ company }: ErpCall): Domain {
  return [['company', '=', Number(company)]];
}
