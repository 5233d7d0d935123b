import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { isUuid, type InstallationId } from '../../../kernel/ids.js';
import { foldedText } from '../../../kernel/text.js';
import { amountKey, CODE, FIELD } from '../domain/search/search-lines.js';

/** How an entry stands now: in the books, out of them again, not known yet, or not booked. */
export const ENTRY_STATES = ['posted', 'reversed', 'uncertain', 'failed'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** Absent properties do not narrow the list. */
export interface EntryFilter {
  /** Part of supplier, person, document number, number in the ERP or account; or the entry's id. */
  readonly search?: string | undefined;
  readonly supplier?: string | undefined;
  /** In main units, of either sign: "125.5". */
  readonly amount?: string | undefined;
  /** Code on the platform, of one of its lines. */
  readonly account?: string | undefined;
  readonly type?: string | undefined;
  readonly state?: EntryState | undefined;
  /** In main units, without sign; both included. */
  readonly minAmount?: string | undefined;
  readonly maxAmount?: string | undefined;
  /** Days of the expense, 'YYYY-MM-DD', both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Few entries are in these states, and no line says it: what may be in one is looked up once. */
function ofState(installationId: InstallationId, state: EntryState | undefined): SqlStatement {
  if (state === 'reversed') {
    return sql`split_part(line, ${FIELD}, 1)::uuid IN (
      SELECT accounting_entry_id FROM posting_intent WHERE installation_id = ${installationId} AND state = 'reversed')`;
  }
  return state === 'uncertain'
    ? sql`split_part(line, ${FIELD}, 1)::uuid IN (
        SELECT accounting_entry_id FROM uncertain_posting WHERE installation_id = ${installationId})`
    : sql`true`;
}

/** Of a line, in main units, without sign; null where it has none. */
export const AMOUNT = sql`nullif(split_part(line, ${FIELD}, 5), '')::numeric`;

/** What is asked of the text of a hundred entries, so that most of them are left out at once, and of the line of one. */
export function conditionsOf(
  installationId: InstallationId,
  { state, ...filter }: EntryFilter,
): { readonly inChunk: SqlStatement; readonly inLine: SqlStatement } {
  // By its states: 's' of what the newest export has booked, 'f' of what it has not.
  const letter = state === undefined || state === 'uncertain' ? null : state === 'failed' ? 'f' : 's';
  const { search, supplier, account, type, from = null, to = null } = filter;
  const [min = null, max = null] = [filter.minAmount, filter.maxAmount].map((text) => text?.replace(',', '.'));
  const id = search !== undefined && isUuid(search) ? search.toLowerCase() : null;
  const words = [id === null ? search : undefined, supplier].flatMap((text) =>
    text === undefined ? [] : foldedText(text),
  );
  const [first = null, second = null] = words;
  const code = account === undefined ? null : `${CODE}${account}${CODE}`;
  const amount = filter.amount === undefined ? null : `${FIELD}${amountKey(filter.amount) ?? ''}${FIELD}`;
  const kind = type === undefined ? null : `${FIELD}${type}${FIELD}`;
  const parts = [id, first, second, code, amount, kind].filter((part) => part !== null);
  const word = (text: string | null) =>
    sql`(${text}::text IS NULL OR strpos(split_part(line, ${FIELD}, 7), ${text}) > 0)`;
  return {
    inChunk: sql`(SELECT coalesce(bool_and(strpos(chunk.words, part) > 0), true) FROM unnest(${parts}::text[]) AS part)
      AND (${from}::date IS NULL OR chunk.last_day >= ${from}::date) AND (${to}::date IS NULL OR chunk.first_day <= ${to}::date)`,
    inLine: sql`(${letter}::text IS NULL OR split_part(line, ${FIELD}, 2) = ${letter}) AND ${ofState(installationId, state)}
      AND (${min}::numeric IS NULL OR ${AMOUNT} >= ${min}::numeric) AND (${max}::numeric IS NULL OR ${AMOUNT} <= ${max}::numeric)
      AND (${id}::text IS NULL OR split_part(line, ${FIELD}, 1) = ${id}) AND ${word(first)} AND ${word(second)}
      AND (${code}::text IS NULL OR strpos(split_part(line, ${FIELD}, 6), ${code}) > 0)
      AND (${amount}::text IS NULL OR ${FIELD} || split_part(line, ${FIELD}, 5) || ${FIELD} = ${amount})
      AND (${type ?? null}::text IS NULL OR split_part(line, ${FIELD}, 4) = ${type ?? null})
      AND (${from}::text IS NULL OR split_part(line, ${FIELD}, 3) >= ${from})
      AND (${to}::text IS NULL OR split_part(line, ${FIELD}, 3) <= ${to})`,
  };
}
