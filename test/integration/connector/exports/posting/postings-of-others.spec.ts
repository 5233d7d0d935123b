import { beforeEach, describe, expect, it } from '@jest/globals';
import { localizeProblem } from '../../../../../src/connector/messages/texts.js';
import type { EntryContent } from '../../../../../src/connector/erp/erp-ledger.js';
import { currency, day } from '../../../../../src/erp-contract/posting-group.builder.js';
import { NO_RESPONSE, postsWithoutResponse } from '../../../../support/fake-erp.js';
import { ChangingEntry, CHANGED_LINES, ORIGINAL_LINES } from './changing-entry.js';
import { ExportsHarness } from '../exports-harness.js';
import { ItemListReader } from '../../../../../src/connector/exports/lists/item-list.reader.js';
import { startedOnce } from '../../../../support/started-once.js';

// What the ERP knows and our record does not: entries posted or reversed by others, or by us before our record was lost.

const BY_HAND: readonly EntryContent[] = [
  {
    role: 'entry',
    postingDate: day('2026-02-09'),
    currency: currency('EUR'),
    lines: [
      { accountCode: '6110', amountMinor: 700n },
      { accountCode: '1935', amountMinor: -700n },
    ],
  },
];

const exports = startedOnce(() => ExportsHarness.start());
let entry: ChangingEntry;

beforeEach(async () => {
  entry = await ChangingEntry.of(exports);
});

describe('an entry that only the ERP knows', () => {
  it('with other content is reversed and posted anew', async () => {
    exports.erp.seedDocument(entry.id, 'other content', BY_HAND);
    await entry.expectReplaced(await entry.exportOf(entry.changed()));
    expect(entry.calls).toEqual(['post', 'reverse', 'post']);
  });

  it('with other content is refused under the other policy, with both contents', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'fail' });
    exports.erp.seedDocument(entry.id, 'other content', BY_HAND);
    const job = await entry.exportOf(entry.changed());
    expect(entry.calls).toEqual(['post']);
    expect(entry.reasonIn(job)).toContain('In the books: 6110 +7.00 · 1935 −7.00 EUR on 2026-02-09.');
    expect(entry.reasonIn(job)).toContain(`The export says now: ${CHANGED_LINES}.`);
  });

  it('with other content, found by a look-up, is shown as far as it is known', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'fail' });
    exports.erp.script.push(({ key }, erp) => {
      erp.seedDocument(key, 'abcdef0123456789', BY_HAND);
      return { outcome: 'unknown', failure: NO_RESPONSE };
    });
    const job = await entry.exportOf(entry.changed());
    expect(entry.reasonIn(job)).toContain('In the books: lines that are not known here (content abcdef012345).');
  });

  it('with other content, found by the next run, is recorded', async () => {
    exports.erp.script.push(({ key }, erp) => {
      erp.seedDocument(key, 'other content', BY_HAND);
      return { outcome: 'unknown', failure: NO_RESPONSE };
    });
    exports.erp.lookUpFailure = NO_RESPONSE;
    const job = await entry.exportOf(entry.changed());
    exports.erp.restore();
    await entry.processQueueAgain();
    await entry.expectReplaced(job);
    expect(entry.calls).toEqual(['find', 'reverse', 'post']);
  });

  it('with other content, found by the next run, is refused in later runs', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'fail' });
    exports.erp.script.push(({ key }, erp) => {
      erp.seedDocument(key, 'other content', BY_HAND);
      return { outcome: 'unknown', failure: NO_RESPONSE };
    });
    exports.erp.lookUpFailure = NO_RESPONSE;
    const job = await entry.exportOf(entry.changed());
    exports.erp.restore();
    await entry.processQueueAgain();
    const again = await entry.exportOf(entry.changed());
    expect(entry.calls).toEqual(['find']);
    for (const reason of [entry.reasonIn(job), entry.reasonIn(again)]) {
      expect(reason).toContain('In the books: lines that are not known here (content other conten).');
    }
  });

  it('with other content, found by the next run, is recorded line by line and shown later', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'fail' });
    exports.erp.script.push((group, erp) => {
      const entries = group.entries.map((each) => ({
        ...each,
        lines: each.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
      }));
      erp.acceptGroup({ ...group, contentDigest: 'other content', entries });
      return { outcome: 'unknown', failure: NO_RESPONSE };
    });
    exports.erp.lookUpFailure = NO_RESPONSE;
    const job = await entry.exportOf(entry.changed());
    exports.erp.restore();
    await entry.processQueueAgain();
    const again = await entry.exportOf(entry.changed());
    for (const reason of [entry.reasonIn(job), entry.reasonIn(again)]) {
      expect(reason).toContain('In the books: 5410 +1998.00 · 1935 −1998.00 EUR on 2026-02-10.');
    }
    expect(
      await exports.rows('posting_intent', job.id, `state, plan_chunk_id, imported #> '{0,lines,0,amountMinor}'`),
    ).toEqual([['posted', null, '199800']]);
  });

  it('with what we had planned is shown with the lines of the plan', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'fail' });
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.lookUpFailure = NO_RESPONSE;
    const first = await entry.exportOf(entry.original());
    exports.erp.restore();
    first.status = 'cancelled';
    for (const job of [await entry.exportOf(entry.changed()), await entry.exportOf(entry.changed())]) {
      expect(entry.reasonIn(job)).toContain(`In the books: ${ORIGINAL_LINES}.`);
    }
  });

  it('with other content is reversed in the next run when the first reversal had no response', async () => {
    exports.erp.seedDocument(entry.id, 'other content', BY_HAND);
    const { erp } = exports;
    const reverse = erp.reverse.bind(erp);
    erp.reverse = (_, keys) => {
      erp.reverse = reverse;
      return Promise.resolve(keys.map(() => ({ outcome: 'unavailable', failure: NO_RESPONSE })));
    };
    const job = await entry.exportOf(entry.changed());
    expect(await exports.stateOf(job)).toBe('running');
    await entry.processQueueAgain();
    await entry.expectReplaced(job);
  });

  it('with other content is not changed by a worker that has to stop', async () => {
    exports.erp.seedDocument(entry.id, 'other content', BY_HAND);
    const stopping = new AbortController();
    exports.erp.onPost = () => {
      stopping.abort();
      return Promise.resolve();
    };
    const job = await exports.addJob(entry.tenant, [entry.changed()]);
    await exports.processQueue(entry.tenant, stopping.signal);
    expect(entry.calls).toEqual(['post']);
    exports.erp.restore();
    await entry.processQueueAgain();
    await entry.expectReplaced(job);
  });

  it.each(['fail', 'reverse-and-repost'] as const)(
    'reversed by a person is posted as the next revision, policy %s',
    async (conflicts) => {
      for (const content of ['other', 'the same']) {
        entry = await ChangingEntry.of(exports, { conflicts });
        if (content === 'other') {
          exports.erp.seedDocument(entry.id, 'other content', BY_HAND);
        } else {
          await entry.exportOf(entry.original());
          await entry.forgetRecord();
        }
        exports.erp.reverseByHand(entry.id);
        const job = await entry.exportOf(entry.original());
        expect(entry.calls).toEqual(['post', 'post']);
        expect(entry.books()).toEqual(['reversed', 'stands']);
        expect(job.results.get(entry.id)).toMatchObject({ externalId: `${entry.externalId}-2` });
        expect(await entry.warningsIn(job)).toEqual([
          expect.stringContaining(`as ${entry.externalId}, which was reversed in the accounting system by `),
        ]);
      }
    },
  );

  it('reversed by a person before the next look-up is posted as the next revision', async () => {
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.lookUpFailure = NO_RESPONSE;
    const job = await entry.exportOf(entry.original());
    exports.erp.restore();
    exports.erp.reverseByHand(entry.id);
    await entry.processQueueAgain();
    expect(entry.books()).toEqual(['reversed', 'stands']);
    expect(await entry.warningsIn(job)).toEqual([entry.replacing]);
  });

  it('in a later revision, reversed, is followed by the one after that', async () => {
    for (const digest of ['first', 'second']) {
      exports.erp.seedDocument(entry.id, digest, BY_HAND);
      exports.erp.reverseByHand(entry.id);
    }
    const job = await entry.exportOf(entry.original());
    expect(entry.books()).toEqual(['reversed', 'reversed', 'stands']);
    expect(job.results.get(entry.id)).toMatchObject({ externalId: `${entry.externalId}-3` });
    expect((await entry.intents()).map(([revision, state]) => [revision, state])).toEqual([
      [1, 'reversed'],
      [2, 'reversed'],
      [3, 'posted'],
    ]);
  });

  it('in a later revision, with other content, is reversed and followed', async () => {
    exports.erp.seedDocument(entry.id, 'first', BY_HAND);
    exports.erp.reverseByHand(entry.id);
    exports.erp.seedDocument(entry.id, 'second', BY_HAND);
    const job = await entry.exportOf(entry.original());
    expect(entry.books()).toEqual(['reversed', 'reversed', 'stands']);
    expect(job.results.get(entry.id)).toMatchObject({ externalId: `${entry.externalId}-3` });
  });
});

describe('a warning of the ERP', () => {
  it('is kept with the item after the warnings of the plan, and shown to administrators', async () => {
    exports.erp.warnings.set(entry.id, ['Possible duplicate of J-7.', 'Left open.']);
    const job = await entry.exportOf(entry.fee(), entry.other());
    const { id } = await exports.job(entry.tenant, job.id);
    const { rows } = await exports
      .get(ItemListReader)
      .items(
        entry.tenant.installationId,
        id,
        {},
        { by: 'position', descending: false },
        { after: undefined, limit: 10 },
      );
    expect(rows.map(({ warnings }) => warnings.map((warning) => localizeProblem('en', warning)))).toEqual([
      ['Line 1 names no account: the fallback account 6570 was used.', 'Possible duplicate of J-7.', 'Left open.'],
      [],
    ]);
  });

  it('is kept for a group that existed', async () => {
    exports.erp.warnings.set(entry.id, ['Left open.']);
    exports.erp.script.push(postsWithoutResponse);
    const job = await entry.exportOf(entry.original());
    expect(entry.calls).toEqual(['post', 'find']);
    expect(await entry.warningsIn(job)).toEqual(['Left open.']);
  });
});
