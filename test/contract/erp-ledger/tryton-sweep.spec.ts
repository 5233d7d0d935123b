// Posting to Tryton takes several requests. Whatever of a lost one arrives later, each group is in the books once. What is
// lost and does not arrive is the contract's.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, jest } from '@jest/globals';
import type { PostingGroup, PostOutcome } from '../../../src/connector/erp/erp-ledger.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { startedOnce } from '../../support/started-once.js';
import { HttpProxy, type Passing } from '../../../src/erp-contract/http-proxy.js';
import { connectTryton } from '../../support/tryton/connected-tryton.js';
import type { Row } from '../../support/tryton/tryton-client.js';
import { describeTryton } from '../../support/tryton/describe-tryton.js';
import { currency, plannedEntry, plannedLine, postingGroup } from '../../../src/erp-contract/posting-group.builder.js';
import { settleInDoubt } from '../../../src/erp-contract/suite/settle-in-doubt.js';
import { entriesUnder, methodOf } from './tryton-harness.js';

jest.setTimeout(900_000);

const CREATE = 'model.account.move.create';
const POST = 'model.account.move.post';
const HOUR_MS = 3_600_000;
describeTryton('posting to Tryton', () => {
  const tryton = startedOnce(connectTryton);
  const proxy = startedOnce(() => HttpProxy.start(0, tryton.server.url));
  let ids: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const accounts = await tryton.connect().accounts();
    ids = new Map(accounts?.map(({ code, externalId }) => [code, externalId]));
  });

  const line = (code: string, minor: bigint, baseMinor = minor) => {
    const planned = plannedLine(code, minor, { baseMinor });
    return { ...planned, account: { ...planned.account, id: (ids.get(code) ?? '') as typeof planned.account.id } };
  };
  const entry = (minor: bigint) => plannedEntry([line('5410', minor), line('1935', -minor)]);
  /** One entry, and a pair. */
  const twoGroups = (): readonly PostingGroup[] => [
    postingGroup(randomUUID(), { entries: [entry(1_000n)] }),
    postingGroup(randomUUID(), {
      entries: [
        { ...entry(2_000n), role: 'invoice' },
        { ...entry(-2_000n), role: 'payment' },
      ],
    }),
  ];
  const movesUnder = (key: string): Promise<readonly Row[]> =>
    tryton.client.search('account.move', [['description', 'like', `${key} %`]], ['state']);
  const expectOnce = async (groups: readonly PostingGroup[]) => {
    for (const { key, entries } of groups) {
      const roles = (await entriesUnder(tryton, key)).map(({ role }) => role);
      expect(roles).toEqual(entries.map(({ role }) => role));
      expect((await movesUnder(key)).map((move) => move['state'])).toEqual(entries.map(() => 'posted'));
    }
  };
  /** As the connector does: what is in doubt is looked up before it is sent again, what was not sent is sent again. */
  const settleAll = async (groups: readonly PostingGroup[], outcomes: readonly PostOutcome[], firstSentAt: number) => {
    const erp = tryton.connect();
    for (const [index, group] of groups.entries()) {
      const outcome = outcomes[index]?.outcome;
      if (outcome === 'not-sent') {
        expect(await erp.post([group])).toMatchObject([{ outcome: 'created' }]);
      } else if (outcome !== 'created') {
        expect(outcome).toBe('unknown');
        await settleInDoubt(erp, { group, firstSentAt });
      }
    }
  };

  it.each([
    [CREATE, 'leaves a draft, which a later post removes'],
    [POST, 'has no effect'],
  ])('a %s that arrives after the group was posted by another worker %s', async (method) => {
    const groups = twoGroups();
    let late: Passing | undefined;
    proxy.boundaries = {
      onRequest(passing) {
        late = methodOf(passing) === method ? passing : late;
        return late === undefined ? true : 'cut';
      },
    };
    const firstSentAt = Date.now();
    const lost = await tryton.connect({ address: proxy.url }).post(groups);
    proxy.boundaries = {};
    await settleAll(groups, lost, firstSentAt);
    await replay(late);
    const posted = await Promise.all(groups.map(async ({ key }) => entriesUnder(tryton, key)));
    expect(posted.map((entries) => entries.length)).toEqual([1, 2]);

    const later = new SystemClock();
    later.now = () => new Date(Date.now() + 2 * HOUR_MS);
    const caller = { deadline: () => new Date(later.now().getTime() + HOUR_MS) };
    const swept = await tryton.connect({ clock: later, caller }).post(twoGroups());
    expect(swept.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    await expectOnce(groups);
  });

  const replay = async (late: Passing | undefined) => {
    const { authorization = '' } = late?.headers ?? {};
    const headers = { 'content-type': 'application/json', authorization };
    const body = late?.body.toString() ?? '';
    const response = await fetch(new URL(late?.path ?? '', tryton.server.url), { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  };

  it('checks its lease before each request that may change something', async () => {
    const before = proxy.seen.length;
    let asked = 0;
    const lost = new Error('the lease is lost');
    const assertOwner = () => {
      asked += 1;
      if (asked > 1) {
        throw lost;
      }
    };
    const groups = twoGroups();
    await expect(tryton.connect({ address: proxy.url, caller: { assertOwner } }).post(groups)).rejects.toBe(lost);
    const methods = proxy.seen.slice(before).map(methodOf);
    expect([methods.includes(CREATE), methods.includes(POST)]).toEqual([true, false]);
    const posted = await Promise.all(groups.map(async ({ key }) => entriesUnder(tryton, key)));
    expect(posted).toEqual([[], []]);
  });

  it.each([
    ['JPY', 12_345_678_901n, 8_230_452_60n],
    ['KWD', 1_234_567n, 398_247_42n],
    ['USD', 90_071_992_547_409_93n, 1n],
  ])('keeps %s to the minor unit', async (code, amountMinor, baseMinor) => {
    const lines = [line('5410', amountMinor, baseMinor), line('1935', -amountMinor, -baseMinor)];
    const group = postingGroup(randomUUID(), { entries: [plannedEntry(lines, { currency: currency(code) })] });
    const erp = tryton.connect();
    expect(await erp.post([group])).toMatchObject([{ outcome: 'created' }]);
    const shown = (await erp.inspect([group.key])).get(group.key);
    expect(shown?.[0]?.entries).toMatchObject([
      { currency: code, lines: [{ amountMinor }, { amountMinor: -amountMinor }] },
    ]);
    const stored = await tryton.client.search(
      'account.move.line',
      [['move', '=', Number(shown?.[0]?.entries[0]?.id)]],
      ['debit', 'credit'],
    );
    expect(stored.map(({ debit, credit }) => [textOf(debit), textOf(credit)])).toEqual([
      [euros(baseMinor), '0.00'],
      ['0.00', euros(baseMinor)],
    ]);
  });
});

function textOf(amount: unknown): string {
  return (amount as { readonly decimal: string }).decimal;
}

function euros(minor: bigint): string {
  return `${(minor / 100n).toString()}.${(minor % 100n).toString().padStart(2, '0')}`;
}
