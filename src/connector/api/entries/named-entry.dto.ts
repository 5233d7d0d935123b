import { field, shape } from '../../../foundation/http/shape.js';
import type { ListedFacts } from '../../exports/domain/search/listed-facts.js';

/** By what a person knows an entry, in lists of something else. */
export class NamedEntryResponse extends shape({
  date: field.day().nullable(),
  type: field.text({ example: 'card_purchase' }).nullable(),
  supplier: field.text().nullable(),
  person: field.text('the person’s code; names are not kept').nullable(),
  documentNumber: field.text().nullable(),
}) {}

/** @returns null where nothing is kept of the entry */
export function toNamedEntry(facts: ListedFacts | undefined): NamedEntryResponse | null {
  if (facts === undefined) {
    return null;
  }
  const { date, type, supplier, person, documentNumber } = facts;
  return { date, type, supplier, person, documentNumber };
}
