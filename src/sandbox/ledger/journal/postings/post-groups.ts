import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { contentOf } from '../domain/entry-content.js';
import { findRefusal } from '../domain/check-group.js';
import { findUnknownDocument } from '../domain/place-documents.js';
import { decideKey, type KeyDecision } from '../domain/idempotency.js';
import { entryNumber, entryUrl, type PostingOutcome, type PostingWarning } from '../domain/posting-outcome.js';
import type { PostingGroup } from '../domain/posting-group.js';
import { EntryRepository } from '../entry.repository.js';
import { GroupDocuments } from './group-documents.service.js';
import { GroupWriter, type AcceptedGroup, type WrittenGroup } from './group-writer.service.js';
import { bisectBatch } from './bisect-batch.js';
import { CompletePosting } from './complete-posting.js';
import { LoadPostingBatch } from './load-posting-batch.js';
import type { StoredGroup } from './posting.repository.js';

/** The decision about a group before anything is written. */
type GroupDecision =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'conflict'; readonly earlier: StoredGroup }
  | { readonly kind: 'decided'; readonly outcome: PostingOutcome };

/**
 * Posts groups of entries, each whole or not at all, all acceptable groups of a batch in one transaction. A group that
 * passes the checks and is still refused by the database is found by halving the batch; the others are posted.
 */
@Injectable()
export class PostGroups {
  constructor(
    private readonly database: Database,
    private readonly loadPostingBatch: LoadPostingBatch,
    private readonly groupWriter: GroupWriter,
    private readonly completePosting: CompletePosting,
    private readonly entryRepository: EntryRepository,
    private readonly groupDocuments: GroupDocuments,
  ) {}

  /**
   * @param groups with different keys
   * @returns one outcome per group, in their order
   * @throws the database's error when it is not known to refuse the content: then the caller looks the keys up
   */
  async postGroups(companyId: string, groups: readonly PostingGroup[]): Promise<readonly PostingOutcome[]> {
    return bisectBatch(
      groups,
      (some) => this.database.inTransaction('journal.post', (tx) => this.postBatch(tx, companyId, some)),
      ({ key }, rule) => {
        const message = `The books refused the group by their rule ${rule}.`;
        return { key, outcome: 'refused', code: 'rule_broken', message, field: '' };
      },
    );
  }

  private async postBatch(
    tx: Tx,
    companyId: string,
    groups: readonly PostingGroup[],
  ): Promise<readonly PostingOutcome[]> {
    const batch = await this.loadPostingBatch.loadBatch(tx, companyId, groups);
    const accepted: AcceptedGroup[] = [];
    const decisions = groups.map((group): GroupDecision => {
      const earlier = batch.earlier.get(group.key);
      const decision = decideKey(batch.idempotency, earlier, group);
      if (decision.kind !== 'create') {
        return withoutWriting(group, decision, earlier);
      }
      const refusal = findRefusal(group, batch.books) ?? findUnknownDocument(group, batch.storedDocuments);
      if (refusal !== undefined) {
        return { kind: 'decided', outcome: { key: group.key, outcome: 'refused', ...refusal } };
      }
      accepted.push({ group, revision: decision.revision });
      return { kind: 'accepted' };
    });
    const written = await this.groupWriter.write(tx, companyId, accepted, batch.books);
    const warnings = await this.completePosting.completeNewGroups(tx, companyId, written);
    const created = new Map(written.map((group) => [group.group.key, group]));
    const outcomes: PostingOutcome[] = [];
    for (const [index, group] of groups.entries()) {
      outcomes.push(await this.outcomeOf(tx, companyId, group, decisions[index], created, warnings));
    }
    return this.attachDocuments(tx, companyId, groups, outcomes, batch.storedDocuments);
  }

  /** Attaches the documents of every group that is in the books, new or not. */
  private async attachDocuments(
    tx: Tx,
    companyId: string,
    groups: readonly PostingGroup[],
    outcomes: readonly PostingOutcome[],
    stored: ReadonlySet<string>,
  ): Promise<readonly PostingOutcome[]> {
    const booked = groups.flatMap(({ key, documents }, index) => {
      const outcome = outcomes[index];
      return outcome !== undefined && 'warnings' in outcome ? [{ key, documents, entries: outcome.entries }] : [];
    });
    const missing = await this.groupDocuments.attach(tx, companyId, booked, stored);
    return outcomes.map((outcome) =>
      'warnings' in outcome
        ? { ...outcome, warnings: [...outcome.warnings, ...(missing.get(outcome.key) ?? [])] }
        : outcome,
    );
  }

  private async outcomeOf(
    tx: Tx,
    companyId: string,
    group: PostingGroup,
    decision: GroupDecision | undefined,
    created: ReadonlyMap<string, WrittenGroup>,
    warnings: ReadonlyMap<string, readonly PostingWarning[]>,
  ): Promise<PostingOutcome> {
    if (decision?.kind === 'decided') {
      return decision.outcome;
    }
    if (decision?.kind === 'conflict') {
      return this.conflictOutcome(tx, companyId, group, decision.earlier);
    }
    const written = created.get(group.key);
    return createdOutcome(companyId, group.key, written, warnings.get(written?.id ?? '') ?? []);
  }

  private async conflictOutcome(
    tx: Tx,
    companyId: string,
    group: PostingGroup,
    earlier: StoredGroup,
  ): Promise<PostingOutcome> {
    const { entries, revision, contentDigest: existingContentDigest } = earlier;
    const existing = await this.entryRepository.find(
      tx,
      companyId,
      entries.map((entry) => entry.id),
    );
    return {
      key: group.key,
      outcome: 'conflict',
      contentDigest: group.contentDigest,
      existingContentDigest,
      revision,
      entries,
      existing: existing.map(contentOf),
      requested: group.entries.map(contentOf),
    };
  }
}

function withoutWriting(
  group: PostingGroup,
  decision: Exclude<KeyDecision, { readonly kind: 'create' }>,
  earlier: StoredGroup | undefined,
): GroupDecision {
  const { key, revision } = group;
  const refused = (code: string, field: string, message: string): GroupDecision => ({
    kind: 'decided',
    outcome: { key, outcome: 'refused', code, message, field },
  });
  if (decision.kind === 'not-reversed' || earlier === undefined) {
    const standing = earlier?.revision ?? 0;
    const message = `Revision ${revision.toString()} of ${key} cannot be posted while an entry of revision ${standing.toString()} is in the books.`;
    return refused('not_reversed', '/revision', message);
  }
  switch (decision.kind) {
    case 'existed': {
      const { entries, warnings } = earlier;
      return {
        kind: 'decided',
        outcome: { key, outcome: 'existed', revision: earlier.revision, entries, warnings },
      };
    }
    case 'conflict':
      return { kind: 'conflict', earlier };
    case 'taken':
      return refused('reference_taken', '/key', `The reference ${key} is already in use.`);
  }
}

function createdOutcome(
  companyId: string,
  key: string,
  written: WrittenGroup | undefined,
  warnings: readonly PostingWarning[],
): PostingOutcome {
  const entries = (written?.entries ?? []).map(({ id, fiscalYear, sequence, content }) => ({
    id,
    role: content.role,
    state: content.state,
    number: sequence === undefined ? null : entryNumber(fiscalYear, sequence),
    url: entryUrl(companyId, id),
  }));
  return { key, outcome: 'created', revision: written?.revision ?? 1, entries, warnings };
}
