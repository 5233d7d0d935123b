import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { PostingGroup } from '../../connector/erp/erp-ledger.js';
import { when } from './assertions.js';
import type { Contract } from './contract.js';

/** A request that was lost, and arrives nevertheless: after its sender has looked up its outcome. */
export function lateArrivalClauses(contract: Contract): void {
  /** Each request that may make something count is held back in turn; the caller takes it for lost. */
  const atEachCommit = async (
    act: (late: {
      readonly group: PostingGroup;
      readonly settle: () => Promise<unknown>;
      readonly arrive: () => Promise<void>;
    }) => Promise<void>,
  ) => {
    const undisturbed = contract.group();
    const { seen } = await contract.behindLine(
      () => undefined,
      (erp) => contract.post(undisturbed, erp),
    );
    for (const [at, { name }] of seen.filter(({ commits }) => commits).entries()) {
      await when(`${name} arrives late`, async () => {
        const group = contract.group();
        const firstSentAt = Date.now();
        let commits = 0;
        const { result } = await contract.behindLine(
          (exchange) => (exchange.commits && commits++ === at ? { lost: 'late' } : undefined),
          (erp) => contract.post(group, erp),
        );
        await act({
          group,
          settle: () => contract.settle({ group, firstSentAt }, result),
          arrive: () => contract.deliverLate(),
        });
      });
    }
  };

  describe('a lost request of a post that arrives late', () => {
    it('after a look-up that did not show it has one effect in the end', async () => {
      await atEachCommit(async ({ group, settle, arrive }) => {
        if (contract.level !== 'none') {
          await contract.erp.findPosted([group.key]);
        }
        await arrive();
        await settle();
        expect(await contract.effects(group.key)).toBe(1);
      });
    });

    const { uniqueKey } = contract.harness.capabilities;
    it.unless(uniqueKey.kind === 'none' ? 'no key is unique: what is late by so much is not sent again' : undefined)(
      'after the entry was posted again has no effect',
      async () => {
        await atEachCommit(async ({ group, settle, arrive }) => {
          await settle();
          expect(await contract.effects(group.key)).toBe(1);
          await arrive();
          expect(await contract.effects(group.key)).toBe(1);
        });
      },
    );
  });
}
