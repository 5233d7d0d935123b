import { Injectable } from '@nestjs/common';
import { sqlState, violatedConstraint } from '../../foundation/database/database-error.js';
import { Database } from '../../foundation/database/database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { BooksViewRepository } from './books-view.repository.js';
import { findRefusal } from './domain/check-group.js';
import { decideKey } from './domain/idempotency.js';
import { entryNumber, entryUrl, type PostingOutcome } from './domain/posting-outcome.js';
import type { PostingGroup } from './domain/posting-group.js';
import { GroupWriter, type AcceptedGroup } from './group-writer.service.js';
import { PostingRepository, type NewEntry, type StoredGroup } from './posting.repository.js';

/**
 * Posts groups of entries, each whole or not at all, all good ones of a batch in one transaction. A group that the
 * checks let through and the database still refuses is found by halving the batch; it never takes others with it.
 */
@Injectable()
export class PostGroups {
  constructor(
    private readonly database: Database,
    private readonly books: BooksViewRepository,
    private readonly postings: PostingRepository,
    private readonly writer: GroupWriter,
  ) {}

  /**
   * @param groups with different keys
   * @returns one outcome per group, in their order
   * @throws the database's error when it is not known to refuse the content: then the caller asks by key
   */
  async run(companyId: string, groups: readonly PostingGroup[]): Promise<readonly PostingOutcome[]> {
    if (groups.length === 0) {
      return [];
    }
    try {
      return await this.database.inTransaction('journal.post', (tx) => this.post(tx, companyId, groups));
    } catch (error) {
      const rule = brokenRule(error);
      if (rule === undefined) {
        throw error;
      }
      const [first] = groups;
      if (first !== undefined && groups.length === 1) {
        const message = `The books refused the group by their rule ${rule}.`;
        return [{ key: first.key, outcome: 'refused', code: 'rule_broken', message, field: '' }];
      }
      const middle = Math.ceil(groups.length / 2);
      const firstHalf = await this.run(companyId, groups.slice(0, middle));
      return [...firstHalf, ...(await this.run(companyId, groups.slice(middle)))];
    }
  }

  private async post(
    tx: Tx,
    companyId: string,
    groups: readonly PostingGroup[],
  ): Promise<readonly PostingOutcome[]> {
    const company = await this.postings.lockCompany(tx, companyId);
    const stored = await this.postings.findGroups(
      tx,
      companyId,
      groups.map((group) => group.key),
    );
    const books = await this.books.load(tx, companyId, company.functionalCurrency, groups);
    const accepted: AcceptedGroup[] = [];
    const outcomes = groups.map((group): PostingOutcome | undefined => {
      const earlier = stored.get(group.key);
      const decision = decideKey(company.idempotency, earlier, group.contentDigest);
      if (decision.kind !== 'create') {
        return withoutWriting(group, decision.kind, earlier);
      }
      const refusal = findRefusal(group, books);
      if (refusal !== undefined) {
        return { key: group.key, outcome: 'refused', ...refusal };
      }
      accepted.push({ group, revision: decision.revision });
      return undefined;
    });
    const created = await this.writer.write(tx, companyId, accepted, books);
    return outcomes.map((outcome, index) => outcome ?? createdOutcome(companyId, groups[index], created));
  }
}

/** What the content broke: a constraint, or what a text, a number or a date may be at all (SQLSTATE class 22). */
function brokenRule(error: unknown): string | undefined {
  const state = sqlState(error);
  if (state?.startsWith('23') === true) {
    return violatedConstraint(error);
  }
  return state?.startsWith('22') === true ? `SQLSTATE ${state}` : undefined;
}

function withoutWriting(
  group: PostingGroup,
  kind: 'existed' | 'conflict' | 'taken',
  earlier: StoredGroup | undefined,
): PostingOutcome {
  const entries = earlier?.entries ?? [];
  const { key, contentDigest } = group;
  switch (kind) {
    case 'existed':
      return { key, outcome: 'existed', entries };
    case 'conflict':
      return {
        key,
        outcome: 'conflict',
        contentDigest,
        existingContentDigest: earlier?.contentDigest ?? '',
        entries,
      };
    case 'taken': {
      const message = `The reference ${key} is in use already.`;
      return { key, outcome: 'refused', code: 'reference_taken', message, field: '/key' };
    }
  }
}

function createdOutcome(
  companyId: string,
  group: PostingGroup | undefined,
  created: ReadonlyMap<string, readonly NewEntry[]>,
): PostingOutcome {
  const key = group?.key ?? '';
  const entries = (created.get(key) ?? []).map(({ id, fiscalYear, sequence, content }) => ({
    id,
    role: content.role,
    state: content.state,
    number: sequence === undefined ? null : entryNumber(fiscalYear, sequence),
    url: entryUrl(companyId, id),
  }));
  return { key, outcome: 'created', entries };
}
