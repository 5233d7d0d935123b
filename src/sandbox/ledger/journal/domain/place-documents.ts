import type { GroupDocument, PostingEntry, PostingGroup } from './posting-group.js';
import type { PostingWarning, Refusal } from './posting-outcome.js';

/** Most documents of an entry. */
export const MAX_DOCUMENTS = 100;

/**
 * @param stored digests that the company has
 * @returns why a group that names another one cannot be posted; undefined when it can
 */
export function findUnknownDocument(
  { documents }: Pick<PostingGroup, 'documents'>,
  stored: ReadonlySet<string>,
): Refusal | undefined {
  const index = documents.findIndex(({ digest }) => !stored.has(digest));
  const document = documents[index];
  return document === undefined
    ? undefined
    : {
        code: 'document_unknown',
        message: `The document ${document.fileName} (${document.digest}) is not stored; store it first.`,
        field: `/documents/${index.toString()}/digest`,
      };
}

/** The entry of a group that its documents belong to: the one that says what was bought, not the one that pays it. */
export function documentEntryOf<Entry extends { readonly role: string }>(
  entries: readonly Entry[],
): Entry | undefined {
  return entries.find(({ role }) => !PAYING.has(role)) ?? entries[0];
}

const PAYING: ReadonlySet<string> = new Set<PostingEntry['role']>(['payment', 'receipt']);

/**
 * What of a group's documents can be put behind an entry. Of a group that is in the books already nothing can be refused
 * any more: what cannot be put there is warned of.
 * @param stored digests that the company has
 * @param present digests that the entry has
 */
export function placeDocuments(
  documents: readonly GroupDocument[],
  stored: ReadonlySet<string>,
  present: ReadonlySet<string>,
): { readonly placed: readonly GroupDocument[]; readonly warnings: readonly PostingWarning[] } {
  const there = new Set(present);
  const placed: GroupDocument[] = [];
  const warnings: PostingWarning[] = [];
  for (const document of documents.filter(({ digest }) => !present.has(digest))) {
    const isNew = !there.has(document.digest);
    if (!stored.has(document.digest)) {
      warnings.push(missing(document, 'it is not stored'));
    } else if (isNew && there.size >= MAX_DOCUMENTS) {
      warnings.push(missing(document, `the entry has ${MAX_DOCUMENTS.toString()} documents already`));
    } else if (isNew) {
      there.add(document.digest);
      placed.push(document);
    }
  }
  return { placed, warnings };
}

function missing({ fileName }: GroupDocument, why: string): PostingWarning {
  return { code: 'document-missing', message: `The document ${fileName} is not behind the entry: ${why}.` };
}
