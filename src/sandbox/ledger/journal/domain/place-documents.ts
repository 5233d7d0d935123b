import type { GroupDocument, PostingEntry, PostingGroup } from './posting-group.js';
import type { PostingWarning, Refusal } from './posting-outcome.js';

/** Documents of one entry. */
export const MAX_DOCUMENTS = 100;

/**
 * @param stored digests that the company has
 * @returns the refusal of a group that names a document which is not stored; undefined when all are
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

/** The entry of a group that its documents are attached to: the purchase, not its payment. */
export function documentEntryOf<Entry extends { readonly role: string }>(entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ role }) => !PAYING.has(role)) ?? entries[0];
}

const PAYING: ReadonlySet<string> = new Set<PostingEntry['role']>(['payment', 'receipt']);

/**
 * Selects the documents of a group that can be attached to its entry. A group that is in the books cannot be refused any
 * more, so each of the other documents gets a warning.
 * @param stored digests that the company has
 * @param present digests that the entry has
 */
export function placeDocuments(
  documents: readonly GroupDocument[],
  stored: ReadonlySet<string>,
  present: ReadonlySet<string>,
): { readonly placed: readonly GroupDocument[]; readonly warnings: readonly PostingWarning[] } {
  const attached = new Set(present);
  const placed: GroupDocument[] = [];
  const warnings: PostingWarning[] = [];
  for (const document of documents.filter(({ digest }) => !present.has(digest))) {
    const isNew = !attached.has(document.digest);
    if (!stored.has(document.digest)) {
      warnings.push(missing(document, 'it is not stored'));
    } else if (isNew && attached.size >= MAX_DOCUMENTS) {
      warnings.push(missing(document, `the entry already has ${MAX_DOCUMENTS.toString()} documents`));
    } else if (isNew) {
      attached.add(document.digest);
      placed.push(document);
    }
  }
  return { placed, warnings };
}

function missing({ fileName }: GroupDocument, why: string): PostingWarning {
  return {
    code: 'document-missing',
    message: `The document ${fileName} is not attached to the entry: ${why}.`,
  };
}
