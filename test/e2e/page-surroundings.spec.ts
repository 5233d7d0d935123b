// The sample company in a real browser, on paper, on a phone and over a slow line.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BookkeeperPage, PHONE } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { SAMPLE_ORIGIN, serveSample, type SampleAnswers } from '../support/browser/sample-page.js';
import { startedOnce } from '../support/started-once.js';

/** A4 between margins of 1 cm, in CSS pixels. */
const PAPER = { width: 718, height: 1_000 };
const ENTRY = 'sample/entries/5a170000-0009-4000-8000-000000000006';
const JOB = '/api/v1/jobs/24f2d9f8-9ec4-421f-ac54-b13aa87ff340';
const ENTRIES = 150;
/** Words of the column of who acts that go over several lines. */
const BROKEN_WORDS = `[...document.querySelectorAll('td[data-label="Who acts"]')].flatMap((cell) => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
  return [...text.data.matchAll(/\\S+/g)].flatMap(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1 ? word : [];
  });
})`;

(hasChromium ? describe : describe.skip)('the page', () => {
  const browser = startedOnce(launchChromium);

  describe('on paper', () => {
    let at: BookkeeperPage;
    let change: (answers: SampleAnswers) => SampleAnswers = (answers) => answers;

    beforeAll(async () => {
      at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
      await serveSample(at, { change: (answers) => change(answers) });
      await at.page.setViewportSize(PAPER);
    });

    /** What the page says of itself while it is printed. */
    const whilePrinted = async (expression: string): Promise<unknown> => {
      await at.page.evaluate(
        // A moment later: what is drawn anew for the paper is drawn after the event.
        `addEventListener('beforeprint', () => queueMicrotask(() => { globalThis.printed = ${expression}; }), { once: true })`,
      );
      await at.page.pdf();
      return at.page.evaluate('globalThis.printed');
    };

    it('names the company, keeps debit left and credit right, and leaves buttons out', async () => {
      await at.open(ENTRY);
      await at.see('1 USD = 0.8561 EUR');
      const company = at.page.getByRole('main').getByText('Saltholm Disain OÜ', { exact: true });
      expect(await company.isVisible()).toBe(false);
      await at.page.emulateMedia({ media: 'print' });
      expect(await company.isVisible()).toBe(true);
      const headers = at.page.getByRole('columnheader', { name: 'Credit' });
      const debit = await at.page.getByRole('columnheader', { name: 'Debit' }).boundingBox();
      const credit = await headers.boundingBox();
      const amount = await at.page.getByText('275.00 USD').last().boundingBox();
      expect(debit?.x).toBeGreaterThanOrEqual(0);
      expect(credit?.x).toBeGreaterThan(debit?.x ?? Infinity);
      expect(amount?.y).toBeGreaterThan(credit?.y ?? Infinity);
      expect(await at.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await at.look('print-entry');
      await at.open('sample/issues');
      await at.page.getByRole('article').first().waitFor();
      expect(await at.page.getByRole('button').count()).toBe(0);
      await at.look('print-issues');
      await at.page.emulateMedia({ media: 'screen' });
    });

    it('is dark on white, also for who reads it light on dark', async () => {
      await at.page.emulateMedia({ colorScheme: 'dark' });
      await at.open('sample/month-end');
      await at.see('By account');
      const background = 'getComputedStyle(document.body).backgroundColor';
      expect(await whilePrinted(background)).toBe('rgb(255, 255, 255)');
      expect(await at.page.evaluate(background)).not.toBe('rgb(255, 255, 255)');
      await at.page.emulateMedia({ colorScheme: 'light' });
    });

    it('has every row of a long list, not only those near the window', async () => {
      change = (answers) => {
        const { data: [row = {}] = [], ...rest } = answers['/api/v1/entries'] ?? {};
        const data = Array.from({ length: ENTRIES }, (_, index) => ({
          ...row,
          accountingEntryId: `00000000-0000-4000-8000-${index.toString().padStart(12, '0')}`,
        }));
        return { ...answers, '/api/v1/entries': { ...rest, data, ...{ nextCursor: null } } };
      };
      await at.open('sample/entries');
      await at.page.locator('tbody tr[data-index]').first().waitFor();
      const rows = `document.querySelectorAll('tbody tr[data-index]').length`;
      expect(await at.page.evaluate(rows)).toBeLessThan(ENTRIES);
      expect(await whilePrinted(rows)).toBe(ENTRIES);
      change = (answers) => answers;
    });

    it('says of a signed month who has signed it, and what has changed by how much since', async () => {
      change = (answers) => {
        const signOff = {
          ...{ signedBy: 'token 1', signedAt: '2026-10-05T08:00:00Z', reason: 'The rest comes later.' },
          ...{ reopenedBy: null, reopenedAt: null, reopeningReason: null },
        };
        const euros = (amountMinor: string) => ({ amountMinor, currency: 'EUR', exponent: 2 });
        const wallet = { accountCode: '1130', accountName: 'Card wallet EUR' };
        const changedSinceSignOff = [
          { ...wallet, side: 'ours', signed: euros('342866'), now: euros('342741') },
          { ...wallet, side: 'ledger', signed: null, now: euros('342741') },
        ];
        const closed = { state: 'signed', signOff, changedSinceSignOff };
        const signed = Object.entries(answers).map(([path, answer]) =>
          path.startsWith('/api/v1/month-ends/') ? [path, { ...answer, ...closed }] : [path, answer],
        );
        return Object.fromEntries(signed) as SampleAnswers;
      };
      await at.open('sample/month-end');
      await at.see('The rest comes later.');
      await at.see('2 figures have changed since the month was signed');
      const changed = at.page.getByRole('table', { name: 'Figures that have changed' }).locator('tbody tr[data-index]');
      expect((await changed.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
        '1130 Card wallet EUR Connector 3,428.66 EUR 3,427.41 EUR -1.25 EUR',
        '1130 Card wallet EUR Accounting system – 3,427.41 EUR –',
      ]);
      await at.page.emulateMedia({ media: 'print' });
      expect(await at.page.getByText('The rest comes later.').isVisible()).toBe(true);
      expect(await at.page.getByRole('textbox').count()).toBe(0);
      await at.page.emulateMedia({ media: 'screen' });
      change = (answers) => answers;
    });
  });

  it('says in words that it loads, and that it takes long', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    const { promise: held, resolve: answer } = Promise.withResolvers<undefined>();
    await serveSample(at, {
      change: async (answers) => {
        await held;
        return answers;
      },
    });
    await at.open('sample/exports');
    await at.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    const status = at.page.getByRole('status').first();
    await status.getByText('Loading').waitFor({ state: 'attached' });
    await status.getByText('This takes longer than usual.').waitFor();
    answer(undefined);
    await at.see('With errors');
    await at.context.close();
  });

  it('keeps the page while the connector does not answer, and goes on to the next one once it does', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveSample(at, {});
    await at.open('sample/people?tab=sessions');
    await at.see('Sessions');
    await at.page.route(/\/(api|assets|certificates)(\/|$)/, (route) => route.abort('connectionrefused'));
    await at.page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await at.see('The connector does not answer');
    await at.page.getByRole('status').getByText('This takes longer than usual.').waitFor();
    await at.page.unroute(/\/(api|assets|certificates)(\/|$)/);
    await at.page.getByRole('heading', { name: 'Certificates', level: 1 }).waitFor();
    await at.context.close();
  });

  it('says of an export that waits for whom, and when it goes on', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    const waits = {
      waitingFor: 'accounting-system',
      nextAttemptAt: '2026-11-28T18:20:00Z',
      state: 'running',
      failed: 0,
    };
    const none = { data: [], total: 0, amounts: [], nextCursor: null };
    await serveSample(at, {
      change: (answers) => {
        const job = { ...answers['/api/v1/jobs']?.data?.[0], ...waits, secondsLeft: 3_000 };
        const home = { ...answers['/api/v1/overview'], runningJobs: [job] };
        return {
          ...answers,
          ...({ [JOB]: job, [`${JOB}/items?sort=position`]: none, '/api/v1/overview': home } as SampleAnswers),
        };
      },
    });
    for (const path of ['sample', JOB.replace('/api/v1/jobs', 'sample/exports')]) {
      await at.open(path);
      await at.see('The export goes on by itself at');
    }
    await at.see('None was read from the platform yet.');
    await at.context.close();
  });

  it('says of an export that failed as a whole not only what is wrong, but what to do', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    const reason = 'The accounts of the connector are not configured. Open the settings.';
    const failure = { code: 'failure.missing_configuration', parameters: {}, text: 'A setting is missing.' };
    await serveSample(at, {
      change: (answers) => ({ ...answers, [JOB]: { ...answers[JOB], ...{ failure, failureReason: reason } } }),
    });
    await at.open(JOB.replace('/api/v1/jobs', 'sample/exports'));
    await at.see('A setting is missing.');
    await at.see(reason);
    await at.context.close();
  });

  it('shows at home an export that failed as a whole, which no issue reports', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    const failureReason = 'Contra accounts are not fully configured. Map them in Accounting settings for: KWD.';
    await serveSample(at, {
      change: (answers) => {
        const failedExport = { ...answers['/api/v1/jobs']?.data?.[0], state: 'failed', failureReason };
        return { ...answers, '/api/v1/overview': { ...answers['/api/v1/overview'], ...{ failedExport } } };
      },
    });
    await at.open('sample');
    const card = at.page.getByRole('article', { name: 'The last export did not go through' });
    await card.getByText(failureReason).waitFor();
    await card.getByText('then press Export again on the platform').waitFor();
    await at.looksGood('home-failed-export');
    await card.getByRole('link').click();
    await at.see('Export of');
    await at.context.close();
  });

  it('breaks no word of who acts in a month with large amounts and long names', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    const supplier = 'Donaudampfschifffahrtsgesellschaft'.repeat(6);
    const money = { amountMinor: '99999999999999', currency: 'EUR', exponent: 2 };
    await serveSample(at, {
      change: (answers) =>
        Object.fromEntries(
          Object.entries(answers).map(([path, answer]) => {
            const { missing } = answer as { missing?: readonly object[] };
            const changed = missing?.map((entry) => ({ ...entry, ...{ who: 'accounting-system', supplier, money } }));
            return [path, changed === undefined ? answer : { ...answer, missing: changed }];
          }),
        ),
    });
    await at.open('sample/month-end');
    await at.see('the accounting system');
    expect(await at.page.evaluate(BROKEN_WORDS)).toEqual([]);
    await at.context.close();
  });

  it.each([
    ['no month yet', { '/api/v1/month-ends': { data: [] } }],
    ['no company of the books', {}],
  ])('says to a company that has %s where to begin', async (_, months) => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveSample(at, {
      change: (answers) => {
        const others = Object.entries(answers).filter(([path]) => !path.startsWith('/api/v1/month-ends'));
        return { ...Object.fromEntries(others), ...months };
      },
    });
    await at.open('sample/month-end');
    await at.see('There is no month yet.');
    expect(await at.page.getByRole('link', { name: 'XLSX' }).count()).toBe(0);
    await at.context.close();
  });

  it('says once of an entry that is not there that it cannot be shown', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveSample(at, {});
    await at.open('sample/entries/00000000-0000-4000-8000-000000000000');
    await at.see('That did not work');
    await at.page.waitForLoadState('networkidle');
    expect(await at.page.getByText('That did not work').count()).toBe(1);
    await at.context.close();
  });

  it('cuts off none of the German names of a choice on a phone', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await at.page.addInitScript(`localStorage.setItem('language', 'de')`);
    await at.page.setViewportSize(PHONE);
    await serveSample(at, {});
    await at.open('sample/issues');
    const choice = at.page.getByRole('radiogroup', { name: 'Stand' });
    await choice.waitFor();
    const frame = await choice.boundingBox();
    const last = await choice.getByText('Behoben').boundingBox();
    const end = (box: typeof frame) => (box === null ? Infinity : box.x + box.width);
    expect(end(last)).toBeLessThanOrEqual(end(frame));
    expect(end(frame)).toBeLessThanOrEqual(PHONE.width);
    await at.look('issues-de-390');
    await at.context.close();
  });

  it('says to a viewer on each page with something to change who may', async () => {
    const at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveSample(at, {
      change: (answers) => ({ ...answers, '/api/v1/me': { ...answers['/api/v1/me'], ...{ role: 'viewer' } } }),
    });
    const paths = ['exports', 'mapping?tab=unmapped', 'mapping?tab=versions', 'reconciliation', 'reference-data'];
    for (const path of paths) {
      await at.open(`sample/${path}`);
      await at.see('You read here');
    }
    // Nothing can be done with the only version: on a phone no empty line says so.
    await at.page.setViewportSize(PHONE);
    await at.open('sample/mapping?tab=versions');
    await at.page.getByRole('link', { name: 'Version 1', exact: true }).waitFor();
    const last = at.page.getByRole('row').last();
    expect(await last.locator('td[data-label=Actions]').isVisible()).toBe(false);
    await at.context.close();
  });
});
