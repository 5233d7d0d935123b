// Companies of Tryton, and the facts of one that never change.
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import { isTimeZone, localDateIn, type LocalDate } from '../../../kernel/local-date.js';
import type { CallScope, ErpCall } from '../erp-call.js';
import { ErpUnavailable, type ErpCompany } from '../erp-ledger.js';
import type { TrytonRpc } from './tryton-rpc.js';
import { recordId, text } from './tryton-values.js';

const companySchema = z.object({
  id: z.int(),
  'party.': z.object({ name: text.nullish(), 'tax_identifier.': z.object({ code: text }).nullish() }),
  'currency.': z.object({ code: text }),
  timezone: text.nullish(),
});

export interface CompanyFacts {
  readonly functionalCurrency: CurrencyCode;
  readonly timeZone: string;
}

/** The day that it is where the company is; that of UTC where its time zone is not known. */
export function todayAt(clock: Clock, facts: CompanyFacts | undefined): LocalDate {
  const timeZone = facts?.timeZone ?? 'UTC';
  return localDateIn(clock.now(), isTimeZone(timeZone) ? timeZone : 'UTC');
}

export class TrytonCompanies {
  private readonly currencies = new Map<string, CurrencyCode>();

  constructor(private readonly rpc: TrytonRpc) {}

  /** @throws ErpUnavailable */
  async list(scope: CallScope): Promise<readonly ErpCompany[]> {
    const rows = await this.rpc.readAll(scope, 'company.company', companySchema, []);
    return rows.map(({ id, 'party.': party }) => ({
      id: toErpCompanyId(id.toString()),
      name: party.name ?? '',
      registrationNumber: party['tax_identifier.']?.code,
    }));
  }

  /** @returns undefined for an unknown company. @throws ErpUnavailable */
  async facts(call: ErpCall): Promise<CompanyFacts | undefined> {
    const id = recordId(call.company);
    if (id === undefined) {
      return undefined;
    }
    // Without the company in the context: Tryton refuses one that it does not know.
    const scope: CallScope = { signal: call.signal, deadline: call.deadline, assertOwner: () => undefined };
    const [row] = await this.rpc.readAll(scope, 'company.company', companySchema, [['id', '=', id]]);
    if (row === undefined) {
      return undefined;
    }
    const functionalCurrency = parseCurrency(row['currency.'].code);
    if (functionalCurrency === undefined) {
      const message = `the currency ${row['currency.'].code} of company ${call.company} is not known`;
      throw new ErpUnavailable({ kind: 'server-error', message });
    }
    this.currencies.set(call.company, functionalCurrency);
    return { functionalCurrency, timeZone: row.timezone ?? 'UTC' };
  }

  /** @throws ErpUnavailable also for an unknown company */
  async currency(call: ErpCall): Promise<CurrencyCode> {
    const known = this.currencies.get(call.company) ?? (await this.facts(call))?.functionalCurrency;
    if (known === undefined) {
      throw new ErpUnavailable({ kind: 'server-error', message: `Tryton has no company ${call.company}` });
    }
    return known;
  }
}
