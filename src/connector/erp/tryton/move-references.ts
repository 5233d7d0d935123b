// Reads the records that new moves refer to.
import { z } from 'zod';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import type { ErpCall } from '../erp-call.js';
import { dimensionKey, type MoveReferences } from './move-values.js';
import type { TrytonJournals } from './tryton-journals.js';
import type { Domain, TrytonRpc } from './tryton-rpc.js';
import { day, dayValue, namedRecord, text } from './tryton-values.js';

const ACTIVE = ['active', '=', true];
const idSchema = z.object({ id: z.int() });
const currencySchema = z.object({ id: z.int(), code: text });
const periodSchema = z.object({ id: z.int(), start_date: day, end_date: day });
const analyticSchema = z.object({
  id: z.int(),
  code: text.nullish(),
  'root.': z.object({ code: text.nullish() }).nullish(),
});

export class MoveReferencesReader {
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly journals: TrytonJournals,
    /** Whether analytic accounts are in use. */
    private readonly analytic: boolean,
  ) {}

  /**
   * @param dates that moves are dated on, besides those of `entries`
   * @throws ErpUnavailable
   */
  async read(
    call: ErpCall,
    entries: readonly PlannedEntry[],
    dates: readonly LocalDate[] = [],
  ): Promise<MoveReferences> {
    const lines = entries.flatMap((entry) => entry.lines);
    const foreign = entries.filter(({ currency, functionalCurrency }) => currency !== functionalCurrency);
    const codes = foreign.map(({ currency }) => currency);
    const currencies = await this.find(call, 'currency.currency', currencySchema, 'code', codes, [ACTIVE]);
    const partyIds = lines.flatMap(({ vendor }) =>
      vendor === undefined ? [] : [namedRecord('party.party', vendor.id) ?? 0],
    );
    const parties = await this.find(call, 'party.party', idSchema, 'id', partyIds, [ACTIVE]);
    const periods = await this.openPeriods(call, [...entries.map(({ postingDate }) => postingDate), ...dates]);
    const values = this.analytic ? lines.flatMap(({ dimensions }) => dimensions.map(({ value }) => value)) : [];
    const analytic = await this.find(call, 'analytic_account.account', analyticSchema, 'code', values, [
      ['company', '=', Number(call.company)],
      ['type', '=', 'normal'],
      ['state', '=', 'opened'],
    ]);
    return {
      journal: await this.journals.current(call),
      currencies: new Map(currencies.map(({ code, id }) => [code, id])),
      openPeriod: (date) => periods.find((period) => period.start_date <= date && date <= period.end_date)?.id,
      activeParties: new Set(parties.map(({ id }) => id)),
      analyticAccounts: new Map(
        analytic.map(({ id, code, 'root.': root }) => [dimensionKey(root?.code ?? '', code ?? ''), id]),
      ),
    };
  }

  private async find<Row extends { readonly id: number }>(
    call: ErpCall,
    model: string,
    schema: z.ZodType<Row>,
    field: string,
    values: readonly (string | number)[],
    domain: Domain,
  ): Promise<readonly Row[]> {
    const wanted = [...new Set(values)];
    return wanted.length === 0 ? [] : this.rpc.readAll(call, model, schema, [[field, 'in', wanted], ...domain]);
  }

  private async openPeriods(call: ErpCall, dates: readonly LocalDate[]) {
    const days = dates.toSorted();
    const [first, last] = [days[0], days.at(-1)];
    return first === undefined || last === undefined
      ? []
      : this.rpc.readAll(call, 'account.period', periodSchema, [
          ['company', '=', Number(call.company)],
          ['type', '=', 'standard'],
          ['state', '=', 'open'],
          ['start_date', '<=', dayValue(last)],
          ['end_date', '>=', dayValue(first)],
        ]);
  }
}
