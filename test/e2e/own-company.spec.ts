// A person with nothing but the addresses of the three programs: a company of their own, from the platform to the books, at pages alone.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

(hasChromium ? describe : describe.skip)('a person with a company of their own', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
  });

  it('gets an expense into new books, from the platform to the ledger, at pages alone', async () => {
    const environment = programs.connectorEnvironment;
    const platformUrl = environment['PLATFORM_AUTH_URL'] ?? '';
    const ledgerUrl = environment['LEDGER_URL'] ?? '';
    const { page } = at;
    const focusOn = (name: string) =>
      page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();

    await page.goto(platformUrl);
    await page.getByLabel('Company name').fill('Kastanie GmbH');
    await page.getByLabel('Your first name').fill('Käthe');
    await page.getByLabel('Last name').fill('Kast');
    await at.press('Create and sign in');
    await page.getByLabel('Supplier').fill('Bahn AG');
    await page.getByLabel('Amount').fill('119.00');
    await at.press('Create');
    await at.see('Bahn AG');
    await page.getByRole('link', { name: 'Connect the application' }).click();
    await at.press('Approve');
    await page.getByRole('link', { name: 'Go on to the set-up' }).click();
    await at.press('Approve');
    await at.see('Not ready to export');

    const address = page.getByLabel('Address');
    await address.fill('http://127.0.0.1:1');
    await address.press('Enter');
    await at.see('With these settings a person has to sign in at this accounting system: press the button for it.');
    await at.press('Sign in at Ledger (sandbox)');
    await at.see('Signing in at the accounting system failed');
    await address.fill(ledgerUrl);
    // A page that is loaded again has what was typed.
    await page.reload();
    await address.and(page.locator(`[value="${ledgerUrl}"]`)).waitFor();
    await at.press('Sign in at Ledger (sandbox)');
    const key = await keyOfNewCompany(page, environment['LEDGER_API_KEY'] ?? '');
    await page.getByLabel('Key of the company').fill(key);
    await at.press('Allow');
    await at.see('The accounting system is connected.');
    await page.getByRole('button', { name: 'Link this company' }).press('Enter');
    await focusOn('Change: Company in the accounting system');
    await at.choose('Wallet (EUR)', '1020');
    await page.getByRole('link', { name: 'Exports', exact: true }).press('Enter');
    await at.see('No export yet');
    await page.getByRole('link', { name: 'Set-up', exact: true }).press('Enter');
    await page.getByLabel('Wallet (EUR)').and(page.locator('[value^="1020"]')).waitFor();
    await at.choose('Wallet (EUR)', '1010');
    for (const decision of ['Cards and wallets', 'Bank, employees and suppliers', 'Exchange differences and fees']) {
      // Each account is proposed by its name.
      await at.block(decision).getByRole('button', { name: 'Looks right' }).press('Enter');
      await focusOn(`Change: ${decision}`);
    }
    await at.see('6 of 8 decisions are made.');

    await page.goto(platformUrl);
    await at.press('Export');
    await at.see('1 exported');
    await page.goto(`${programs.operator.url}/app/entries`);
    await at.see('119.00 EUR');
    await at.see('Posted');
    expect(at.problems).toEqual([]);
  }, 300_000);
});

/** In a tab of its own, which the sign-in of the ledger leads to. */
async function keyOfNewCompany(page: Page, mainKey: string): Promise<string> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Create one' }).click(),
  ]);
  await tab.getByLabel('Company name').fill('Kastanie GmbH');
  await tab.getByLabel('Main key of the ledger').fill(mainKey);
  await tab.getByRole('button', { name: 'Create the company' }).click();
  const key = (await tab.locator('code').first().textContent()) ?? '';
  expect(key).toMatch(/^ledger_/);
  await tab.close();
  return key;
}
