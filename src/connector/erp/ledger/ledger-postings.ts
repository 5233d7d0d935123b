// Posts, looks up and reverses groups of entries in the ledger, in batches, at the capability level of its companies.
import type { ErpCompanyId } from '../../../kernel/ids.js';
import {
  ErpNotSearchable,
  ErpUnavailable,
  type ErpCapability,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type ReverseOutcome,
} from '../erp-ledger.js';
import { batches, companyPath, type LedgerHttp } from './ledger-http.js';
import { foundGroupOf, outcomeOf, reversalOf, missingOutcome } from './ledger-outcomes.js';
import { lookupSchema, outcomesSchema, reversalsSchema } from './ledger-wire.schema.js';
import { postingGroupBody } from './posting-request.js';

const NOT_SEARCHABLE = 'the ledger cannot be searched by key (level none)';

export class LedgerPostings {
  /** @param url address of the ledger, for links to its entries */
  constructor(
    private readonly ledgerHttp: LedgerHttp,
    private readonly url: string,
    private readonly capability: ErpCapability,
  ) {}

  async post(company: ErpCompanyId, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const outcomes: PostOutcome[] = [];
    for (const batch of batches(groups)) {
      outcomes.push(...(await this.compareContents(company, batch, await this.postBatch(company, batch))));
    }
    return outcomes;
  }

  /** @throws ErpUnavailable also when the ledger omits a key from its response; ErpNotSearchable at `none` */
  async find(company: ErpCompanyId, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    if (this.capability.level === 'none') {
      throw new ErpNotSearchable(NOT_SEARCHABLE);
    }
    const found = new Map<string, PostedGroup>();
    for (const batch of batches(keys)) {
      const response = await this.ledgerHttp.read(lookupSchema, {
        method: 'POST',
        path: `${companyPath(company)}/posting-groups:lookup`,
        body: { keys: batch },
      });
      const byKey = new Map(response?.data.map((group) => [group.key, group]));
      for (const key of batch) {
        const group = byKey.get(key);
        if (group === undefined) {
          throw new ErpUnavailable(missingOutcome(key));
        }
        if (group.outcome === 'found') {
          found.set(key, foundGroupOf(group, this.url));
        }
      }
    }
    return found;
  }

  async reverse(company: ErpCompanyId, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    if (this.capability.level === 'none') {
      const message = `${NOT_SEARCHABLE}: reverse the entries there by hand`;
      return keys.map(() => ({ outcome: 'refused', message }));
    }
    const outcomes: ReverseOutcome[] = [];
    for (const batch of batches(keys)) {
      outcomes.push(...(await this.reverseBatch(company, batch)));
    }
    return outcomes;
  }

  private async postBatch(company: ErpCompanyId, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const result = await this.ledgerHttp.write(outcomesSchema, {
      method: 'POST',
      path: `${companyPath(company)}/posting-groups`,
      body: { groups: groups.map(postingGroupBody) },
    });
    switch (result.kind) {
      case 'responded': {
        const byKey = new Map(result.value.outcomes.map((outcome) => [outcome.key, outcome]));
        return groups.map((group) => outcomeOf(group, byKey.get(group.key), this.url));
      }
      case 'refused':
        return result.status === 413 && groups.length > 1
          ? this.postInHalves(company, groups)
          : groups.map(() => ({ outcome: 'refused', message: result.message }));
      case 'not-sent':
      case 'unknown':
        return groups.map(() => ({ outcome: result.kind, failure: result.failure }));
    }
  }

  /** Groups that are too large for one request may fit into two. */
  private async postInHalves(company: ErpCompanyId, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const middle = Math.ceil(groups.length / 2);
    const firstHalf = await this.postBatch(company, groups.slice(0, middle));
    return [...firstHalf, ...(await this.postBatch(company, groups.slice(middle)))];
  }

  /** The ledger does not compare the content under a short-lived key, so it is compared here at `expiring-key`. */
  private async compareContents(
    company: ErpCompanyId,
    groups: readonly PostingGroup[],
    outcomes: readonly PostOutcome[],
  ): Promise<readonly PostOutcome[]> {
    const repeated = groups.filter((_, index) => outcomes[index]?.outcome === 'existed');
    if (this.capability.level !== 'expiring-key' || repeated.length === 0) {
      return outcomes;
    }
    const stored = await this.tryFind(
      company,
      repeated.map(({ key }) => key),
    );
    return outcomes.map((outcome, index) => {
      const group = groups[index];
      return group === undefined || outcome.outcome !== 'existed' ? outcome : compareContent(group, stored);
    });
  }

  private async tryFind(
    company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup> | ErpFailure> {
    try {
      return await this.find(company, keys);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return error.failure;
      }
      throw error;
    }
  }

  private async reverseBatch(company: ErpCompanyId, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    const result = await this.ledgerHttp.write(reversalsSchema, {
      method: 'POST',
      path: `${companyPath(company)}/posting-groups:reverse`,
      body: { keys },
    });
    switch (result.kind) {
      case 'responded': {
        const byKey = new Map(result.value.outcomes.map((outcome) => [outcome.key, outcome]));
        return keys.map((key) => reversalOf(key, byKey.get(key)));
      }
      case 'refused':
        return keys.map(() => ({ outcome: 'refused', message: result.message }));
      case 'not-sent':
      case 'unknown':
        return keys.map(() => ({ outcome: 'unavailable', failure: result.failure }));
    }
  }
}

function compareContent(group: PostingGroup, stored: ReadonlyMap<string, PostedGroup> | ErpFailure): PostOutcome {
  if ('kind' in stored) {
    return { outcome: 'unknown', failure: stored };
  }
  const posted = stored.get(group.key);
  if (posted === undefined) {
    return { outcome: 'unknown', failure: missingOutcome(group.key) };
  }
  return posted.contentDigest === group.contentDigest
    ? { outcome: 'existed', posted }
    : { outcome: 'conflict', existing: posted, existingContent: [] };
}
