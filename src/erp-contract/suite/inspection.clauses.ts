import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { LineTax } from '../../connector/bookkeeping/item/posting-plan.js';
import type { ListedGroup } from '../../connector/erp/erp-books.js';
import { addDays } from '../../kernel/local-date.js';
import { INSTALLATION } from '../posting-group.builder.js';
import { failureOf } from './assertions.js';
import type { Contract } from './contract.js';

/** More than fit into a page of most ERPs, together with those of the other clauses. */
const MANY_GROUPS = 60;

export function inspectionClauses(contract: Contract): void {
  describe('inspection of the books', () => {
    if (contract.level === 'none') {
      it('is unavailable where nothing can be searched', async () => {
        const { openDay } = contract.company;
        const days = { from: openDay, to: openDay };
        for (const asked of [contract.erp.inspect([randomUUID()]), contract.erp.listGroups(days, undefined)]) {
          expect((await failureOf(asked)).name).toBe('ErpNotSearchable');
        }
      });
      return;
    }
    keyClauses(contract);
    listClauses(contract);
  });
}

function keyClauses(contract: Contract): void {
  it('shows every line posted under a key, and nothing under an unknown key', async () => {
    const { accounts, vendor, taxCode, dimension, openDay } = contract.company;
    const lines = [
      contract.line('expense', 10_000n, {
        taxCode: { id: contract.taxCodeId(taxCode), code: taxCode, decision: { by: 'code' } },
        dimensions: [{ ...dimension, decision: { by: 'code' } }],
      }),
      contract.line('payables', -10_000n, { vendor: { id: contract.vendorId(vendor), code: vendor } }),
    ];
    const group = contract.group({ entries: [contract.entry({ role: 'invoice' }, lines)] });
    await contract.post(group);
    const found = await contract.find(group.key);
    const inspected = await contract.erp.inspect([group.key, randomUUID()]);
    const none = { taxCode: undefined, vendorCode: undefined, dimensions: {} };
    const { dimension: code, value } = dimension;
    expect([...inspected.entries()]).toEqual([
      [
        group.key,
        [
          {
            key: group.key,
            revision: 1,
            contentDigest: group.contentDigest,
            entries: [
              {
                id: found?.entries[0]?.id,
                role: 'invoice',
                state: 'posted',
                postingDate: openDay,
                currency: contract.entry().currency,
                lines: [
                  {
                    ...none,
                    accountCode: accounts.expense,
                    amountMinor: 10_000n,
                    taxCode,
                    dimensions: { [code]: value },
                  },
                  { ...none, accountCode: accounts.payables, amountMinor: -10_000n, vendorCode: vendor },
                ],
              },
            ],
          },
        ],
      ],
    ]);
  });

  it.unless(contract.harness.capabilities.taxDetails === true ? undefined : 'tax details are not declared')(
    'shows the tax details of a line as it was posted',
    async () => {
      const { taxCode, rate } = contract.company;
      const code = { taxCode: { id: contract.taxCodeId(taxCode), code: taxCode, decision: { by: 'code' } } } as const;
      const input: LineTax = {
        ...{ place: 'input' as const, reverseCharge: true, rate: '0.25', deductible: '0.5' },
        ...{ taxableMinor: 8_000n, taxableBaseMinor: 7_298n, taxMinor: 2_000n, taxBaseMinor: 1_825n },
      };
      const output: LineTax = {
        ...{ place: 'output' as const, reverseCharge: true, deductible: '0.5' },
        ...{ taxableMinor: -8_000n, taxableBaseMinor: -7_298n, taxMinor: -2_000n, taxBaseMinor: -1_825n },
      };
      const none: LineTax = { ...input, place: 'expense', reverseCharge: false, deductible: '0' };
      const lines = [
        contract.line('expense', 9_000n, { baseMinor: 8_211n, ...code, tax: none }),
        contract.line('expense', 1_000n, { baseMinor: 912n, ...code, tax: input }),
        contract.line('expense', -2_000n, { baseMinor: -1_825n, ...code, tax: output }),
        contract.line('wallet', -8_000n, { baseMinor: -7_298n }),
      ];
      const group = contract.group({ entries: [contract.entry({ currency: rate.from }, lines)] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      await contract.find(group.key);
      const [shown] = (await contract.erp.inspect([group.key])).get(group.key) ?? [];
      expect(shown?.entries.flatMap((entry) => entry.lines.map(({ tax }) => tax))).toEqual([
        none,
        input,
        output,
        undefined,
      ]);
    },
  );

  it('shows what was reversed, beside the revision that followed it', async () => {
    const group = contract.group();
    await contract.post(group);
    await contract.find(group.key);
    expect(await contract.reverse(group.key)).toEqual({ outcome: 'reversed' });
    await contract.post({ ...contract.changed(group), revision: 2 });
    await contract.find(group.key, ({ revision }) => revision === 2);
    const groups = (await contract.erp.inspect([group.key])).get(group.key) ?? [];
    expect(groups.map(({ revision, entries }) => [revision, entries.map(({ state }) => state)])).toEqual([
      [1, ['reversed']],
      [2, ['posted']],
    ]);
  });
}

function listClauses(contract: Contract): void {
  it('lists the groups of a period page by page, with their origin', async () => {
    const group = contract.group();
    await contract.post(group);
    await contract.find(group.key);
    const { openDay } = contract.company;
    const listed = await listAll(contract, openDay, openDay);
    expect(listed.find(({ key }) => key === group.key)).toMatchObject({
      revision: 1,
      standing: true,
      accountingEntryId: group.key,
      installationId: INSTALLATION,
      postingDate: openDay,
      amountMinor: 10_000n,
      currency: contract.entry().currency,
    });
    expect(new Set(listed.map(({ key, revision }) => `${key} ${revision.toString()}`)).size).toBe(listed.length);
    const before = await listAll(contract, addDays(openDay, -2), addDays(openDay, -1));
    expect(before.map(({ key }) => key)).not.toContain(group.key);
  });

  contract.itWith('reversal')('lists what was reversed as no longer standing', async () => {
    const group = contract.group();
    await contract.post(group);
    await contract.find(group.key);
    expect(await contract.reverse(group.key)).toEqual({ outcome: 'reversed' });
    await contract.find(group.key, ({ reversed }) => reversed);
    const { openDay } = contract.company;
    const listed = await listAll(contract, openDay, openDay);
    expect(listed.filter(({ key }) => key === group.key)).toMatchObject([{ revision: 1, standing: false }]);
  });

  it('lists each of many groups once', async () => {
    const groups = Array.from({ length: MANY_GROUPS }, () => contract.group());
    await contract.erp.post(groups);
    await contract.find(groups.at(-1)?.key ?? '');
    const { openDay } = contract.company;
    const wanted = new Set(groups.map(({ key }) => key));
    const listed = (await listAll(contract, openDay, openDay)).map(({ key }) => key).filter((key) => wanted.has(key));
    expect(listed.toSorted()).toEqual([...wanted].toSorted());
  });

  it('has no result without a response', async () => {
    const { openDay } = contract.company;
    await failureOf(contract.lose('request', (erp) => erp.inspect([randomUUID()])));
    const days = { from: openDay, to: openDay };
    await failureOf(contract.lose('request', (erp) => erp.listGroups(days, undefined)));
  });
}

async function listAll(
  contract: Contract,
  from: Contract['company']['openDay'],
  to: Contract['company']['openDay'],
): Promise<readonly ListedGroup[]> {
  const all: ListedGroup[] = [];
  let after: string | undefined;
  do {
    const page = await contract.erp.listGroups({ from, to }, after);
    all.push(...page.groups);
    after = page.next;
  } while (after !== undefined);
  return all;
}
