import { shownDay, word } from '../messages/text.js';

interface Facts {
  readonly date?: string | null;
  readonly type?: string | null;
  readonly supplier?: string | null;
  readonly person?: string | null;
  readonly documentNumber?: string | null;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** The person's code. A person without one has only an id, which says nothing to a reader. */
export const personOf = ({ person }: Facts): string | null => (UUID.test(person ?? '') ? null : (person ?? null));

/** What people call an expense: its supplier; where there is none, the kind of it and who has spent. */
export function titleOf(facts: Facts): string | undefined {
  const { supplier, type } = facts;
  const kind = type ? word('item-type', type) : null;
  return supplier ?? ([kind, personOf(facts)].filter(Boolean).join(' · ') || undefined);
}

/** What else is known of it, in one line. */
export function detailsOf(facts: Facts): string {
  const { supplier, type, date, documentNumber } = facts;
  const kind = type && supplier ? word('item-type', type) : null;
  return [kind, supplier ? personOf(facts) : null, documentNumber, date ? shownDay(date) : null]
    .filter(Boolean)
    .join(' · ');
}
