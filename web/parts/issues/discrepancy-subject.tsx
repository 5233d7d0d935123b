import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DiscrepancyResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { detailsOf, titleOf } from '../facts.js';

type Concerned = Pick<DiscrepancyResponse, 'subject' | 'accountingEntryId' | 'entry'> & {
  readonly class: string;
  readonly exportJobId?: string | null;
};

/**
 * The entry or the export that a discrepancy is about; what is neither has only a name, as an entry of which nothing is known.
 * @returns what a person knows it by, and the path of its page, empty where there is none
 */
export function subjectOf({ class: kind, subject, accountingEntryId, entry, exportJobId = null }: Concerned): {
  readonly text: string;
  readonly path: string;
} {
  if (accountingEntryId !== null && kind !== 'orphan-entry') {
    const known = entry === null ? [] : [titleOf(entry), detailsOf(entry)].filter(Boolean);
    return { text: known.join(' · ') || t('item.entry'), path: `/entries/${accountingEntryId}` };
  }
  return exportJobId === null
    ? { text: subject, path: '' }
    : { text: t('export.title'), path: `/exports/${exportJobId}` };
}

/** The same, as a link to its page. */
export function Subject({ text, path }: ReturnType<typeof subjectOf>) {
  return path === '' ? (
    text
  ) : (
    <Anchor component={Link} to={path} inherit underline="always">
      {text}
    </Anchor>
  );
}
