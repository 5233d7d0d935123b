// The sample company in a real browser: it needs no program, and is where lists are made as long, and names as long, as they
// come. FIGURES=1 prints what was measured, for docs/benchmarks.md.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BookkeeperPage, PHONE, WIDE } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium, needsChromium, NO_CHROMIUM } from '../support/browser/chromium.js';

/** Of this name a browser thinks as of an encrypted one; nothing listens there. */
const ORIGIN = 'http://localhost:1';
const ROWS = 10_000;
const MAX_TASK_MS = 100;
const STEPS = 60;
const LONG_NAME = `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft-${'x'.repeat(170)}`;

type Answers = Record<string, { data?: Record<string, unknown>[] }>;

describe('the browser of this test', () => {
  it('is there where a change is judged', () => {
    expect(needsChromium && !hasChromium ? NO_CHROMIUM : 'there').toBe('there');
  });
});

(hasChromium ? describe : describe.skip)('the sample company', () => {
  let browser: Browser;
  let at: BookkeeperPage;
  let change: (answers: Answers) => Answers = (answers) => answers;
  const asked: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    at = await BookkeeperPage.start(browser, ORIGIN);
    await at.page.route(`${ORIGIN}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      asked.push(pathname);
      if (/answers-.*\.json$/.test(pathname)) {
        const answers = JSON.parse(await readFile('web/sample/answers.json', 'utf8')) as Answers;
        await route.fulfill({ json: change(answers) });
      } else if (pathname.startsWith('/app/assets/')) {
        await route.fulfill({ path: `web/dist${pathname.slice('/app'.length)}` });
      } else {
        const body = await readFile('web/dist/index.html', 'utf8');
        await route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
      }
    });
  });
  afterAll(async () => {
    await browser.close();
  });

  it('can be looked at without a session, and asks the server for nothing but files', async () => {
    await at.open('sample');
    await at.see('Nothing you do here is saved');
    await at.see('Last exports');
    await at.page.getByRole('link', { name: 'Exports' }).first().click();
    await at.page
      .getByRole('link')
      .filter({ hasText: /20\d\d/ })
      .last()
      .click();
    await at.see('Team merchandise');
    await at.page.getByRole('link', { name: 'Why so?' }).first().click();
    await at.see('What happened to it');
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
  });

  it('refuses what would change something, in words', async () => {
    await at.open('sample/month-end');
    await at.see('By account');
    await at.page.getByRole('textbox', { name: /missing: why may/ }).fill('They come later.');
    await at.press('Sign the month off');
    await at.see('with your own company it would be done now');
    await at.page.getByRole('link', { name: 'CSV' }).click();
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
    await at.page.getByRole('link', { name: 'Back to your company' }).waitFor();
  });

  it('gives out files with their receipts, where the accounting system reads files', async () => {
    const title = 'Files for the accounting system';
    await at.open('sample/exports');
    await at.see('With errors');
    expect(await at.page.getByText(title).count()).toBe(0);
    const closedAt = '2026-03-31T22:30:00Z';
    change = (answers) => ({
      ...answers,
      '/api/v1/erp-connection': { ...answers['/api/v1/erp-connection'], ...{ givesFiles: true } },
      '/api/v1/erp-batches': {
        data: [
          { number: 1, fileName: 'postings-000001.csv', entries: 12, receipts: 3, sha256: 'ab', closedAt },
          { number: 2, fileName: 'postings-000002.csv', entries: 7, receipts: 0, sha256: 'cd', closedAt },
        ],
        ...{ nextCursor: null },
      },
    });
    await at.open('sample/exports');
    const files = at.page.getByRole('region', { name: title });
    await files.getByRole('link', { name: 'postings-000002.csv' }).waitFor();
    const links = await Promise.all((await files.getByRole('link').all()).map((link) => link.getAttribute('href')));
    expect(links).toEqual([
      ...['', '/receipts', '/receipt-list'].map((part) => `/api/v1/erp-batches/1${part}`),
      '/api/v1/erp-batches/2',
    ]);
    expect(await files.getByRole('link', { name: 'Receipts (ZIP)' }).count()).toBe(1);
    await at.look('batches');
    await at.page.setViewportSize(PHONE);
    // What depends on the width is drawn anew a moment after it has changed.
    await at.page.waitForFunction('document.documentElement.scrollWidth <= innerWidth');
    expect(await at.barriers()).toEqual([]);
    await at.page.setViewportSize(WIDE);
  });

  it(`scrolls ${ROWS.toString()} rows without a task over ${MAX_TASK_MS.toString()} ms`, async () => {
    change = (answers) =>
      withRows(answers, '/api/v1/entries', (row, index) => ({
        ...row,
        accountingEntryId: `00000000-0000-4000-8000-${index.toString().padStart(12, '0')}`,
        supplier: `Supplier ${index.toString()}`,
      }));
    await at.open('sample/entries');
    await at.see('Supplier 0');
    const session = await at.context.newCDPSession(at.page);
    // Time of the processor, not of the clock: what else this machine does is no fault of the page.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity);
    };
    const tasks: number[] = [];
    for (let step = 0, before = await spent(); step < STEPS; step += 1) {
      await at.page.evaluate(STEP_DOWN);
      const after = await spent();
      tasks.push(after - before);
      before = after;
    }
    await at.page.evaluate(TO_THE_END);
    const longest = Math.max(...tasks);
    if (process.env['FIGURES'] !== undefined) {
      const mean = tasks.reduce((sum, one) => sum + one, 0) / tasks.length;
      process.stdout.write(
        `${ROWS.toString()} rows: at most ${longest.toFixed()} ms, ${mean.toFixed()} ms on average\n`,
      );
    }
    await at.see(`Supplier ${(ROWS - 1).toString()}`);
    expect(await at.page.locator('tbody tr').count()).toBeLessThan(100);
    expect(longest).toBeLessThanOrEqual(MAX_TASK_MS);
  });

  it('has room for very long names, wide and on a phone, in both color schemes', async () => {
    change = (answers) =>
      JSON.parse(
        JSON.stringify(answers).replaceAll(/"(supplier|name|companyName|displayName)":"[^"]+"/g, `"$1":"${LONG_NAME}"`),
      ) as Answers;
    for (const path of [
      'sample',
      'sample/entries',
      'sample/exports',
      'sample/issues',
      'sample/month-end',
      'sample/setup',
    ]) {
      await at.page.setViewportSize(WIDE);
      await at.open(path);
      await at.page.getByText(LONG_NAME).first().waitFor({ state: 'attached' });
      await at.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      await at.look(`long-${path.replace('/', '-')}`);
      const wide = await at.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      await at.page.setViewportSize(PHONE);
      await at.page.reload();
      await at.page.getByText(LONG_NAME).first().waitFor({ state: 'attached' });
      await at.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      await at.settle();
      const narrow = await at.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      await at.look(`long-${path.replace('/', '-')}-390`);
      expect([path, wide, narrow]).toEqual([path, 0, 0]);
    }
    expect(await at.barriers()).toEqual([]);
    await at.page.emulateMedia({ colorScheme: 'dark' });
    expect(await at.barriers()).toEqual([]);
    await at.page.emulateMedia({ colorScheme: 'light' });
    expect(at.problems).toEqual([]);
  });
});

function withRows(
  answers: Answers,
  path: string,
  made: (row: Record<string, unknown>, index: number) => Record<string, unknown>,
): Answers {
  const [row = {}] = answers[path]?.data ?? [];
  const data = Array.from({ length: ROWS }, (_, index) => made(row, index));
  return { ...answers, [path]: { ...answers[path], data, ...{ nextCursor: null } } };
}

const PAINTED = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
const STEP_DOWN = `scrollBy(0, innerHeight / 2); ${PAINTED}`;
const TO_THE_END = `(async () => {
  for (let at = 0; at < 20; at += 1) { scrollTo(0, document.documentElement.scrollHeight); await ${PAINTED}; }
})()`;
