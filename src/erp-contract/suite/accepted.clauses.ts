import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'expect';
import { it } from '../clauses.js';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import type { AcceptedGroup, PostingGroup, PostOutcome } from '../../connector/erp/erp-ledger.js';
import type { Contract } from './contract.js';

const ASK_EVERY_MS = 50;

/** Posts that the ERP accepts first, and decides later. */
export function acceptedClauses(contract: Contract): void {
  const patienceMs = contract.harness.capabilities.outcomeLater?.mayTakeMs ?? 0;

  /** As when the worker dies once it has stored the response. */
  const acceptAndDie = async (groups: readonly PostingGroup[]): Promise<readonly AcceptedGroup[]> => {
    const kept: AcceptedGroup[] = [];
    const died = await contract
      .connect()
      .post(groups, (accepted) => {
        kept.push(...accepted);
        return Promise.reject(new Error('the worker dies'));
      })
      .then(
        () => undefined,
        (error: unknown) => String(error),
      );
    expect(died).toBe('Error: the worker dies');
    expect(kept.map(({ key, revision }) => ({ key, revision }))).toEqual(
      groups.map(({ key, revision }) => ({ key, revision })),
    );
    expect(kept.filter(({ handle }) => handle.length === 0 || handle.length > 500)).toEqual([]);
    return kept.map(({ key, revision, contentDigest, handle }) => ({ key, revision, contentDigest, handle }));
  };

  const queryUntilDecided = async (
    erp: ConnectedErp,
    accepted: readonly AcceptedGroup[],
  ): Promise<ReadonlyMap<string, PostOutcome>> => {
    const ends = Date.now() + patienceMs;
    for (;;) {
      const asked = Date.now();
      const outcomes = await erp.outcomesOf(accepted);
      if (outcomes.size === accepted.length || asked >= ends) {
        return outcomes;
      }
      await delay(ASK_EVERY_MS);
    }
  };

  it('an accepted post has its outcome reported to another worker in time, and repeatedly', async () => {
    const groups = [contract.group(), contract.group()];
    const accepted = await acceptAndDie(groups);
    for (const worker of [contract.connect(), contract.connect()]) {
      const outcomes = await queryUntilDecided(worker, accepted);
      for (const { key, contentDigest } of groups) {
        const posted = { key, revision: 1, contentDigest, reversed: false };
        expect(outcomes.get(key)).toMatchObject({ outcome: expect.stringMatching(/^(created|existed)$/), posted });
        expect(await contract.effects(key)).toBe(1);
      }
    }
  });

  it('an accepted post that is refused later has a message, beside one that is taken', async () => {
    const good = contract.group();
    const bad = contract.group({
      entries: [contract.entry({}, [contract.line('inactive', 100n), contract.line('wallet', -100n)])],
    });
    const outcomes = await queryUntilDecided(contract.connect(), await acceptAndDie([bad, good]));
    expect(outcomes.get(bad.key)).toMatchObject({ outcome: 'refused', message: expect.stringMatching(/\w/) });
    expect(outcomes.get(good.key)).toMatchObject({ outcome: expect.stringMatching(/^(created|existed)$/) });
    expect([await contract.effects(bad.key), await contract.effects(good.key)]).toEqual([0, 1]);
  });

  it('a handle that the ERP does not know has no outcome', async () => {
    const { key, revision, contentDigest } = contract.group();
    const outcomes = await contract.erp.outcomesOf([{ key, revision, contentDigest, handle: '987654321/0' }]);
    expect(outcomes.get(key)).toBeUndefined();
  });
}
