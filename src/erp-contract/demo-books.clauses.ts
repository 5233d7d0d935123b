// The demo books: planned by the connector, posted through the adapter, compared account by account.
import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { indexContext, type BookkeepingContext } from '../connector/bookkeeping/item/bookkeeping-context.js';
import { contentOf } from '../connector/bookkeeping/item/content-of.js';
import { planItem } from '../connector/bookkeeping/item/plan-item.js';
import type { PostingGroup } from '../connector/erp/erp-ledger.js';
import { describe, it } from './clauses.js';
import { DEMO_RATES, demoItems, type DemoItem } from './demo-books.js';
import { currency } from './posting-group.builder.js';
import { present } from './suite/assertions.js';
import type { Contract } from './suite/contract.js';

type Totals = Record<string, bigint>;

export function demoBooksClauses(contract: Contract): void {
  let posting: Promise<readonly PostingGroup[]> | undefined;
  const posted = () => (posting ??= postDemo(contract));

  describe('the demo books', () => {
    it('match the plan account by account, read without the adapter', async () => {
      const groups = await posted();
      const found: Totals = {};
      for (const { key } of groups) {
        for (const line of (await contract.entriesUnder(key)).flatMap(({ lines }) => lines)) {
          add(found, line.accountCode, line.baseMinor);
        }
      }
      expect(withoutZeros(found)).toEqual(expectedTotals(contract));
    });

    it.unless(contract.level === 'none' ? 'nothing can be searched' : undefined)(
      'are shown by the adapter as they were sent, per account and currency',
      async () => {
        const groups = await posted();
        const [found, sent]: [Totals, Totals] = [{}, {}];
        for (const { entries } of groups) {
          for (const entry of entries) {
            entry.lines.forEach((line) => {
              add(sent, `${line.account.code} ${entry.currency}`, line.amountMinor);
            });
          }
        }
        const last = present(groups.at(-1), 'a group');
        await contract.find(last.key);
        const inspected = await contract.erp.inspect(groups.map(({ key }) => key));
        for (const entry of [...inspected.values()].flat().flatMap(({ entries }) => entries)) {
          entry.lines.forEach((line) => {
            add(found, `${line.accountCode} ${entry.currency}`, line.amountMinor);
          });
        }
        expect(found).toEqual(sent);
      },
    );

    contract.itWith('reversal')('come to nothing once all of it is reversed', async () => {
      const keys = (await posted()).map(({ key }) => key);
      const outcomes = await contract.erp.reverse(keys);
      expect(outcomes.filter(({ outcome }) => outcome !== 'reversed')).toEqual([]);
      for (const key of keys) {
        expect(await contract.balances(key)).toEqual(new Map());
      }
    });
  });
}

async function postDemo(contract: Contract): Promise<readonly PostingGroup[]> {
  const context = await contextOf(contract);
  const groups = itemsOf(contract).map(({ item }) => {
    const plan = planItem(item, context);
    if (plan.outcome !== 'post') {
      throw new Error(`a ${item.type} cannot be planned: ${plan.outcome === 'fail' ? plan.message : plan.outcome}`);
    }
    const contentDigest = createHash('sha256').update(contentOf(item)).digest('hex');
    return contract.group({ key: item.accountingEntryId, contentDigest, entries: plan.entries });
  });
  const outcomes = await contract.erp.post(groups);
  expect(outcomes.filter(({ outcome }) => outcome !== 'created')).toEqual([]);
  return groups;
}

function itemsOf({ company, harness }: Contract): readonly DemoItem[] {
  return demoItems(company, harness.currencies, randomUUID);
}

async function contextOf({ company, erp }: Contract): Promise<BookkeepingContext> {
  const masterData = present(await erp.loadMasterData(), 'the master data');
  const { functionalCurrency } = masterData;
  const { accounts, openDay } = company;
  return indexContext({
    ...masterData,
    rates: Object.entries(DEMO_RATES).map(([code, rate]) => ({
      from: currency(code),
      to: functionalCurrency,
      date: openDay,
      rate,
    })),
    settings: {
      wallets: {
        [functionalCurrency]: accounts.wallet,
        USD: accounts.wallet,
        JPY: accounts.wallet,
        KWD: accounts.wallet,
      },
      companyBankByCurrency: {},
      accountsPayable: accounts.payables,
      fxRounding: accounts.expense,
      fallbackAccounts: {},
    },
    policies: {
      unknownVendor: 'fail',
      closedPeriod: 'fail',
      postingState: 'posted',
      conflicts: 'fail',
      reversedInErp: 'fail',
      receipts: 'fail',
    },
    rules: [],
    mappingVersion: 1,
  });
}

function expectedTotals(contract: Contract): Totals {
  const { accounts } = contract.company;
  const totals: Totals = {};
  for (const { base } of itemsOf(contract)) {
    add(totals, accounts.expense, base.expense ?? 0n);
    add(totals, accounts.wallet, base.wallet ?? 0n);
    add(totals, accounts.payables, base.payables ?? 0n);
  }
  return withoutZeros(totals);
}

function add(totals: Totals, account: string, minor: bigint): void {
  totals[account] = (totals[account] ?? 0n) + minor;
}

function withoutZeros(totals: Totals): Totals {
  return Object.fromEntries(Object.entries(totals).filter(([, minor]) => minor !== 0n));
}
