// Posts, looks up and reverses groups of entries in the ledger under the guarantee of its companies.
import type { ErpCall } from '../erp-call.js';
import {
  ErpUnavailable,
  type PostingGuarantee,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type ReverseOutcome,
} from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath } from './ledger-http.js';
import { foundGroupOf, outcomeOf, reversalOf, missingOutcome } from './ledger-outcomes.js';
import { lookupSchema, outcomesSchema, reversalsSchema } from './ledger-wire.schema.js';
import { postingGroupBody } from './posting-request.js';

export class LedgerPostings {
  /** @param url address of the ledger, for links to its entries */
  constructor(
    private readonly http: ErpHttp,
    private readonly url: string,
    private readonly guarantee: PostingGuarantee,
  ) {}

  async post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    return this.compareContents(call, groups, await this.postBatch(call, groups));
  }

  /** @throws ErpUnavailable also when the ledger omits a key from its response */
  async find(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    const response = await this.http.read(call, lookupSchema, {
      method: 'POST',
      path: `${companyPath(call)}/posting-groups:lookup`,
      body: { keys },
    });
    const byKey = new Map(response?.data.map((group) => [group.key, group]));
    return new Map(
      keys.flatMap((key) => {
        const group = byKey.get(key);
        if (group === undefined) {
          throw new ErpUnavailable(missingOutcome(key));
        }
        return group.outcome === 'found' ? [[key, foundGroupOf(group, this.url)] as const] : [];
      }),
    );
  }

  private async postBatch(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const result = await this.http.write(call, outcomesSchema, {
      method: 'POST',
      path: `${companyPath(call)}/posting-groups`,
      body: { groups: groups.map(postingGroupBody) },
    });
    switch (result.kind) {
      case 'responded': {
        const byKey = new Map(result.value.outcomes.map((outcome) => [outcome.key, outcome]));
        return groups.map((group) => outcomeOf(group, byKey.get(group.key), this.url));
      }
      case 'refused':
        return result.status === 413 && groups.length > 1
          ? this.postInHalves(call, groups)
          : groups.map(() => ({ outcome: 'refused', message: result.message }));
      case 'not-sent':
      case 'unknown':
        return groups.map(() => ({ outcome: result.kind, failure: result.failure }));
    }
  }

  /** Groups that are too large for one request may fit into two. */
  private async postInHalves(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const middle = Math.ceil(groups.length / 2);
    const firstHalf = await this.postBatch(call, groups.slice(0, middle));
    return [...firstHalf, ...(await this.postBatch(call, groups.slice(middle)))];
  }

  /** The ledger does not compare the content under a short-lived key, so it is compared here at `expiring-key`. */
  private async compareContents(
    call: ErpCall,
    groups: readonly PostingGroup[],
    outcomes: readonly PostOutcome[],
  ): Promise<readonly PostOutcome[]> {
    const repeated = groups.filter((_, index) => outcomes[index]?.outcome === 'existed');
    if (this.guarantee.level !== 'expiring-key' || repeated.length === 0) {
      return outcomes;
    }
    const stored = await this.tryFind(
      call,
      repeated.map(({ key }) => key),
    );
    return outcomes.map((outcome, index) => {
      const group = groups[index];
      return group === undefined || outcome.outcome !== 'existed' ? outcome : compareContent(group, stored);
    });
  }

  private async tryFind(
    call: ErpCall,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup> | ErpFailure> {
    try {
      return await this.find(call, keys);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return error.failure;
      }
      throw error;
    }
  }

  async reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    const result = await this.http.writeRepeatable(call, reversalsSchema, {
      method: 'POST',
      path: `${companyPath(call)}/posting-groups:reverse`,
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
