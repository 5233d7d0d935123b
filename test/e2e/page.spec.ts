// A bookkeeper at the connector's own page, in a real browser, with all programs behind it. With SCREENSHOTS=<folder> it
// also takes pictures of every page, in both color schemes and on a phone.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createLedgerKey } from '../../src/sandbox/launch/demo/connect-company.js';
import { secondCustomer } from '../../src/sandbox/launch/demo/second-company.js';
import { seedLedger } from '../../src/sandbox/launch/demo/seed-ledger.js';
import { addItems, seedPlatform } from '../../src/sandbox/launch/demo/seed-platform.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium, needsChromium, NO_CHROMIUM } from '../support/browser/chromium.js';
import { PAGES } from '../support/browser/pages.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

if (!hasChromium) {
  process.stderr.write(`\nNOT TESTED: the page in a browser. ${NO_CHROMIUM}\n\n`);
}

describe('the browser of this test', () => {
  it('is there where a change is judged', () => {
    expect(needsChromium && !hasChromium ? NO_CHROMIUM : 'there').toBe('there');
  });
});

/** Of the hour that an export has, when it was seen soon after its begin. */
const JUST_BEGUN = /^(5[5-9]|60):\d\d$/;

(hasChromium ? describe : describe.skip)('a bookkeeper at the page', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;
  let page: Page;

  const newestExport = () =>
    page
      .getByRole('link')
      .filter({ hasText: /20\d\d/ })
      .first();

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
    page = at.page;
  });

  it('comes without a session, signs in, and is where they wanted to go', async () => {
    await page.goto(`${programs.operator.url}/app/exports`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/exports');
    await at.see('Saltholm Disain OÜ');
  });

  it('sees an export run on the home page without loading it again', async () => {
    await at.open('');
    await at.see('No export is running.');
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
    // An export may be over before a page has read that it runs: this one cannot post before it was seen.
    const { promise: seen, resolve: letPost } = Promise.withResolvers<true>();
    programs.ledgerProxy.boundaries = {
      onRequest: ({ method, path }) => (method === 'POST' && path.endsWith('/posting-groups') ? seen : true),
    };
    await triggerExport(programs.clients.simulator);
    try {
      await page.getByRole('timer').waitFor();
      expect(await page.getByRole('timer').textContent()).toMatch(JUST_BEGUN);
    } finally {
      programs.ledgerProxy.boundaries = {};
      letPost(true);
    }
    await page.getByText('Proved · 154 of 154 read back').waitFor({ timeout: 90_000 });
    await at.see('142 exported, 5 failed of 147');
    await at.see('6475');
  });

  it('sees of each failed item why, and of a posted one how it was booked', async () => {
    await at.open('exports');
    await newestExport().click();
    await at.see('An account is not known in the accounting system.');
    await at.see('6475 Team merchandise');
    await at.see('348.00 EUR');
    await at.see('5 items');
    await page.getByRole('searchbox').fill('Balti');
    await at.see('one item');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await page.waitForURL('**sort=amount*');
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await page.locator('tbody tr').first().getByText('1,488.00 EUR').waitFor();
    await at.look('export');
    await page.getByText('Exported', { exact: true }).last().click();
    await at.see('142 items');
    await page.getByRole('link', { name: 'Why so?' }).first().click();
    await at.see('Debit');
    await at.see('Booked with mapping version');
    await at.see('The same');
    await at.see('In the accounting system: Posted');
    await at.look('entry');
  });

  it('finds an entry over all exports by what is known of it', async () => {
    await at.open('entries');
    const amount = page.getByPlaceholder('Amount', { exact: true });
    await amount.fill('348.00');
    await page.waitForURL('**amount=348*');
    await amount.fill('348,');
    await at.see('An amount is written as');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByPlaceholder('Amount from').fill('9999999');
    await at.see('Nothing was found.');
  });

  it('agrees on an issue, and takes that back', async () => {
    await at.open('issues');
    const card = page.getByRole('article').filter({ hasText: 'EE22' });
    await card.getByRole('button', { name: 'I take it' }).click();
    await card.getByText('Ada Berg takes care of it').waitFor();
    await card.getByRole('button', { name: 'Note' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('The old rate ended in June.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card.getByText('The old rate ended in June.').waitFor();
    await page.getByLabel('assigned to me').check();
    await page.getByRole('article').nth(1).waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Put off for a week' }).click();
    await card.waitFor({ state: 'detached' });
    await at.undo('put off until');
    await card.waitFor();
  });

  it('puts several issues off at once', async () => {
    await at.open('issues');
    await page.getByRole('article').first().waitFor();
    const before = await page.getByRole('article').count();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const bar = page.getByRole('region', { name: 'Selected issues' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByText('1,836.00 EUR').waitFor();
    await at.look('issues-selected');
    await bar.getByRole('button', { name: 'Put off for a week' }).click();
    await at.expectCards(before - 2);
    await at.undo('put off until');
    await at.expectCards(before);
  });

  it('resolves an issue by keyboard, takes it back in time, and follows it to the books', async () => {
    await at.open('issues?search=6475');
    const card = page.getByRole('article').filter({ hasText: '6475' });
    await card.waitFor();
    await at.expectCards(1);
    const field = card.getByRole('combobox');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await field.and(page.locator(':focus')).waitFor();
    await field.fill('small equip');
    await page.getByRole('option', { name: '6440 Small equipment' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: '6440 Small equipment' }).waitFor({ state: 'hidden' });
    await field.press('Enter');
    await at.undo('it is mapped to 6440 Small equipment and exported again');
    await card.getByRole('button', { name: 'Resolve and export again' }).click();
    await at.press('Now');
    await card.waitFor({ state: 'detached' });
    await page.getByText('Resolved', { exact: true }).click();
    await page.getByRole('article').filter({ hasText: '6475' }).waitFor();
  });

  it('changes a rule, looks at what changed, and takes it back', async () => {
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    await page.getByRole('dialog').getByLabel('On the platform').fill('6999');
    await at.choose('In the accounting system', '6440');
    await at.press('Save');
    await at.see('6999');
    await page.getByText('Undo').click();
    await page.getByText('6999').first().waitFor({ state: 'detached' });
    await at.open('mapping?tab=versions');
    await page.getByRole('link', { name: 'Compare version' }).nth(1).click();
    await at.see('6999 → 6440');
  });

  it('imports rules from a file, corrects a wrong row, and changes all of them at once', async () => {
    const file = (rows: string) => ({
      name: 'rules.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`subject,source,target\r\n${rows}`),
    });
    await at.open('mapping?tab=files');
    const chooser = page.locator('input[type=file]');
    await chooser.setInputFiles(file('account,6995,6440\r\ncategory,6996,6440\r\n'));
    const mistake = page.getByRole('row').filter({ hasText: 'category,6996,6440' });
    await mistake.getByText('subject must be one of account, tax-code, tag.').waitFor();
    await at.look('mapping-mistakes');
    await chooser.setInputFiles(file('account,6995,6440\r\naccount,6996,6440\r\n'));
    await at.see('It would add 2');
    await at.press('Import');
    await at.see('2 added');
    const [workbook] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all rules as XLSX' }).click(),
    ]);
    await chooser.setInputFiles({
      name: 'rules.xlsx',
      mimeType: 'application/octet-stream',
      buffer: await readFile(await workbook.path()),
    });
    await at.see('It would change nothing');
    await at.open('mapping?tab=account');
    await page.getByRole('searchbox').fill('699');
    await page.getByLabel('Select the rule for 6995').check();
    await page.getByLabel('Select the rule for 6996').check();
    await at.see('2 rules selected');
    await at.choose('New target in the accounting system', '6430');
    await at.press('Change all');
    await page.getByRole('row').filter({ hasText: '6996' }).getByText('6430').waitFor();
    await page.getByLabel('Select all rules').check();
    await at.press('Remove all');
    await page.getByText('6996').first().waitFor({ state: 'detached' });
  });

  it('loses nothing of a form when the session ends', async () => {
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    await page.getByRole('dialog').getByLabel('On the platform').fill('6998');
    await at.choose('In the accounting system', '6440');
    await at.context.clearCookies();
    await at.press('Save');
    await at.see('Your session has ended');
    await page.getByRole('dialog').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL('**/app/mapping?tab=account&dialog=rule');
    // Storage belongs to an address with its port; people have one address, this test has two.
    await at.open('mapping?tab=account&dialog=rule');
    expect(await page.getByRole('dialog').getByLabel('On the platform').inputValue()).toBe('6998');
    expect(await at.barriers()).toEqual([]);
    await at.press('Close');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('says that the connection is lost, keeps what was loaded, and goes on', async () => {
    await at.open('');
    await at.see('Last exports');
    await at.context.setOffline(true);
    await at.see('You see what was loaded last');
    await at.look('home-offline');
    expect(await at.barriers()).toEqual([]);
    await at.context.setOffline(false);
    await page.getByText('You see what was loaded last').waitFor({ state: 'detached' });
    // The browser has a network, and no server answers.
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Exports' }).first().click();
    await at.see('The connector does not answer');
    await at.look('exports-unreachable');
    expect(await at.barriers()).toEqual([]);
    await page.unroute('**/api/v1/**');
    await page.getByText('The connector does not answer').waitFor({ state: 'detached' });
  });

  it('says what is wrong where nothing is, and keeps its policy', async () => {
    const answer = await at.open('nowhere');
    await at.see('There is nothing at this address.');
    expect(answer?.headers()['content-security-policy']).toMatch(
      /script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='$/,
    );
    expect(answer?.headers()['cache-control']).toBe('no-cache');
  });

  it.each(PAGES)('has no barrier at %s in either color scheme, and fits on a phone', async (path, text) => {
    const name = path === '' ? 'home' : path.replace(/&.*/, '').replace(/\?\w+=/, '-');
    await at.open(path);
    await at.see(text);
    await at.look(name);
    expect(await at.barriers()).toEqual([]);
    await at.inColors('dark');
    await at.look(`${name}-dark`);
    expect(await at.barriers()).toEqual([]);
    await at.inColors('light');
    expect(await at.overflowOnPhone(name, text)).toBe(0);
  });

  it('connects a new company and sets it up by page alone, with names instead of codes', async () => {
    const { ledger, simulator } = programs.clients;
    const { company } = secondCustomer;
    await seedLedger(ledger, secondCustomer);
    await seedPlatform(simulator, secondCustomer);
    await addItems(simulator, secondCustomer);
    await page.goto(`${programs.operator.url}/connect`);
    await page.getByLabel(company.name).check();
    await at.press('Approve');
    await page.goto(`${programs.operator.url}/app/sign-in?to=${encodeURIComponent('/app/setup')}`);
    await page.getByLabel(company.name).check();
    await at.press('Approve');
    await at.see('Not ready to export');
    await at.look('setup-new');
    await page.getByLabel('Kind of accounting system').selectOption('ledger');
    await page.getByLabel('Address').fill(programs.ledgerProxy.url);
    await page.getByLabel('API key').fill(await createLedgerKey(ledger, company.ledgerId));
    await at.press('Connect');
    await at.press('Link this company');
    await at.block('Cards and wallets').getByRole('combobox').first().waitFor();
    await at.look('setup-proposal');
    await at.looksRight('Cards and wallets');
    await at.choose('Company bank', '1940 Bank');
    await at.looksRight('Bank, employees and suppliers');
    await at.looksRight('Exchange differences and fees');
    // As the sandbox is.
    await at.see('This connector has no mail server: ask its operator');
    await at.press('Send no alerts');
    await at.see('it was decided so');
    await at.choose('Debit', '1940 Bank');
    await at.choose('Credit', '1935 Card wallet');
    await at.press('Post one cent');
    await at.see('taken back');
    await at.see('8 of 8 decisions are made.');
    await at.see('Ready to export');
    expect(await at.barriers()).toEqual([]);
  });

  it('posts the first export of the new company, proves it, and closes the month', async () => {
    await at.open('exports');
    await at.see('No export yet: press Export on the platform.');
    await at.look('exports-empty');
    await at.open('');
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
    await triggerExport(programs.clients.simulator, secondCustomer);
    await page.getByText('Proved · 6 of 6 read back').waitFor({ timeout: 90_000 });
    await at.open('exports');
    await newestExport().waitFor();
    await at.look('exports-one');
    await at.open('month-end');
    await at.see('Öresund Form AB, November 2026');
    await at.see('Nothing of the month is missing.');
    await at.press('Sign the month off');
    await at.see('Signed off by Ada Berg');
  });

  it('goes on with another client, and back', async () => {
    await at.open('clients');
    await at.see('2 clients, one needs you; 4 entries are held back.');
    await at.press('Open Saltholm Disain OÜ');
    await page.getByRole('button', { name: /^Saltholm Disain OÜ/ }).click();
    await page.getByRole('menuitem', { name: /^Öresund Form AB/ }).click();
    await page.getByRole('button', { name: /^Öresund Form AB/ }).waitFor();
  });

  it('speaks German', async () => {
    await at.open('');
    await page.getByLabel('Language').selectOption('de');
    await at.see('Letzte Exporte');
    // It is the person's, not the browser's.
    await page.evaluate(`localStorage.clear()`);
    await at.open('');
    await at.see('Letzte Exporte');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(at.problems).toEqual([]);
  });

  it('finds the way on from an address without a page', async () => {
    await at.open('nothing');
    await at.see('Unter dieser Adresse ist nichts.');
    await page.getByRole('link', { name: 'Zur ersten Seite' }).click();
    await at.see('Letzte Exporte');
  });

  it('signs out, for a copy of the cookie too', async () => {
    const me = `${programs.operator.url}/api/v1/me`;
    const cookies = await page.context().cookies();
    await at.press('Abmelden');
    await page.getByRole('link', { name: 'Anmelden' }).waitFor();
    await page.context().addCookies(cookies);
    expect((await page.request.get(me, { maxRetries: 2 })).status()).toBe(401);
  });
});
