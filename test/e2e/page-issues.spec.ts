// What a bookkeeper who sees the page for the first time reads: what an issue wants, what happens after it is resolved, by what
// a list is ordered, and what a version of the mapping has changed. With SCREENSHOTS=<folder> it takes pictures.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { triggerExport, waitForVerdict } from '../../src/sandbox/launch/demo/trigger-export.js';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

const settingsSchema = z.object({
  version: z.number(),
  accounts: z.unknown(),
  policies: z.record(z.string(), z.unknown()),
});

(hasChromium ? describe : describe.skip)('a bookkeeper at the page for the first time', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;
  let page: Page;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
    page = at.page;
  });

  it('signs in, and sees how the export has ended', async () => {
    await at.signInToSetUp(programs.operator.url);
    await triggerExport(programs.clients.simulator);
    await waitForVerdict(programs.clients.connector, programs.clock, () => undefined);
    await at.open('');
    await at.see('142 exported, 5 failed of 147');
  });

  it('reads once what an issue is and what to do', async () => {
    await at.open('issues');
    const code = page.getByRole('article').filter({ hasText: 'EE22' });
    await code.getByText('To do:').waitFor();
    expect(await code.textContent()).not.toContain('choose another tax code on the platform');
    const split = page.getByRole('article').filter({ hasText: '93.50' });
    await split.getByText('Correct the split on the platform.').waitFor();
    // Of the entry itself the reason says what to do, and is what stands there.
    expect(await split.getByText('To do:').count()).toBe(1);
  });

  it('sees by what the entries are ordered before choosing an order', async () => {
    await at.open('entries');
    const order = page.getByRole('columnheader', { name: 'The export' });
    await order.waitFor();
    expect(await order.getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await page.waitForURL('**sort=amount*');
    expect(await order.getAttribute('aria-sort')).toBe('none');
  });

  it('sees which vendors of the platform are used', async () => {
    await at.open('reference-data?tab=vendors');
    const printer = page.getByRole('row').filter({ hasText: 'V-00001' });
    await printer.getByText('6 entries').waitFor();
  });

  it('closes the list of accounts by Escape, and stays in the field', async () => {
    await at.open('issues');
    const card = page.getByRole('article').filter({ hasText: '6475' });
    const field = card.getByRole('combobox', { name: 'In the accounting system' });
    await field.click();
    const option = page.getByRole('option', { name: '6440' }).first();
    await option.waitFor();
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'hidden' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-issue]:focus').filter({ hasText: '6475' }).waitFor();
  });

  it('enters the code itself while the list of accounts cannot be read', async () => {
    await page.route('**/api/v1/erp/accounts*', (route) => route.fulfill({ status: 503, json: { title: 'Busy' } }));
    await at.open('issues');
    const card = page.getByRole('article').filter({ hasText: '6475' });
    await card.getByText('The list cannot be read from the accounting system now: enter the code.').waitFor();
    const code = card.getByRole('textbox', { name: 'In the accounting system' });
    await code.fill('6440');
    await code.fill('');
    await page.unroute('**/api/v1/erp/accounts*');
  });

  it('reads what happens after an issue is resolved, and goes on by keyboard at the next', async () => {
    await at.open('issues');
    const card = page.getByRole('article').filter({ hasText: '6475' });
    await card.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await at.choose('In the accounting system', '6440');
    await page.getByRole('option', { name: '6440' }).first().waitFor({ state: 'hidden' });
    await card.getByRole('button', { name: 'Resolve and export again' }).click();
    await at.press('Now');
    const said = page.getByRole('status').filter({ hasText: 'Resolved: Account 6475' });
    await said.getByText('One entry is exported again').waitFor();
    await at.look('issue-resolved');
    await card.waitFor({ state: 'detached' });
    await page.locator('[data-issue]:focus').waitFor();
  });

  it('opens a version of the mapping by its address, with what it changed and all that it says', async () => {
    await at.open('mapping?tab=versions');
    await page.getByRole('link', { name: 'Version 2', exact: true }).click();
    await at.see('6475 → 6440');
    expect(new URL(page.url()).pathname).toBe('/app/mapping/versions/2');
    await page.getByRole('region', { name: 'Its settings' }).getByText('6820').waitFor();
    await page.getByRole('region', { name: 'Its rules' }).getByText('6475').waitFor();
    await at.looksGood('mapping-version');
    expect(await at.overflowOnPhone('mapping-version', '6820')).toBe(0);
    await page.getByRole('link', { name: 'All versions' }).click();
    await at.see('Restore');
    await at.open('mapping/versions/99');
    await page.getByRole('alert').waitFor();
  });

  it('saves a rule at the second press, after another person has saved something in between', async () => {
    const { connector } = programs.clients;
    const dialog = page.getByRole('dialog');
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    await dialog.getByLabel('On the platform').fill('6997');
    await at.choose('In the accounting system', '6440');
    const { version, accounts, policies } = await connector.read('/api/v1/settings', settingsSchema);
    await connector.put('/api/v1/settings', {
      json: { accounts, policies: { ...policies, receipts: 'fail' } },
      headers: { 'if-match': `"${version.toString()}"` },
    });
    const readAgain = page.waitForResponse((response) => response.url().includes('/api/v1/mapping/rules?'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await at.see('It was saved by another request meanwhile.');
    await readAgain;
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: '6997' }).waitFor();
  });

  it('is not offered to sign off a month that has not begun', async () => {
    await at.open('month-end?month=2199-01');
    await at.see('It can be signed off from 1 Jan 2199.');
    expect(await page.getByRole('button', { name: 'Sign the month off' }).count()).toBe(0);
    expect(await page.getByLabel('Month').getAttribute('max')).toMatch(/^\d{4}-\d{2}$/);
    await at.open('month-end');
    await page.getByRole('button', { name: 'Sign the month off' }).waitFor();
    expect(at.problems).toEqual([]);
  });
});
