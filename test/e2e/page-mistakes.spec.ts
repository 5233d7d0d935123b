// A person who does at the page what was not meant: wrong addresses, half-typed values, words that say nothing. In a real browser, with all programs behind it.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { BookkeeperPage, PHONE, WIDE } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

(hasChromium ? describe : describe.skip)('a person who takes a wrong turn', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;
  let page: Page;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
    page = at.page;
    await at.signInToSetUp(programs.operator.url);
  });
  afterEach(async () => {
    // A request may be on its way through a route as its test ends.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  /** As people do who know the code. */
  const chooseAccount = async () => {
    const field = page.getByRole('article').filter({ hasText: '6475' }).getByRole('combobox');
    await field.click();
    // What is proposed becomes the account's name once the list is there, also over what a program has just selected.
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await field.fill('6440');
    await page.getByRole('option', { name: '6440 Small equipment' }).waitFor();
    await field.press('Tab');
    expect(await field.inputValue()).toBe('6440 Small equipment');
  };

  const become = (state: 'visible' | 'hidden') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);

  it.each([
    ['exports?from=yesterday&to=2026-02-30', 'Exports'],
    ['entries?from=2026-99-99', 'Entries'],
  ])('sees at %s what there would be without the day that is none', async (path, title) => {
    await at.open(path);
    await page.getByRole('heading', { name: title }).waitFor();
    await at.see('No export yet: press Export on the platform.');
  });

  it('types the days of a period, figure by figure', async () => {
    await at.open('exports');
    // The same in each order of day and month, which is the browser's.
    await page.getByLabel('From', { exact: true }).pressSequentially('11112026');
    await page.waitForURL('**from=2026-11-11*');
    await at.see('Nothing was found.');
  });

  it('gives a reason of blanks for a month, which is none', async () => {
    await at.open('month-end?month=2025-02');
    await at.press('Sign the month off');
    await page.getByLabel('Why it is opened again').fill('   ');
    await at.press('Reopen the month');
    await at.see('This cannot be taken as it was entered, and nothing was changed');
    await page.getByLabel('Why it is opened again').fill('a late invoice');
    await at.press('Reopen the month');
    await page.getByRole('button', { name: 'Sign the month off' }).waitFor();
  });

  it('types another month into the field, and meets no mistake at an address that has none', async () => {
    await at.open('month-end?month=abc');
    const month = page.getByLabel('Month', { exact: true });
    await month.and(page.locator('[value^="20"]')).waitFor();
    await at.open('month-end?month=2025-02');
    await at.see('February 2025');
    await month.press('Backspace');
    await month.press('3');
    await page.waitForURL('**month=2025-03');
    await at.see('March 2025');
  });

  it('goes back to a list of all by the menu, and no search stands above it', async () => {
    await at.open('entries?search=6475');
    const search = page.getByRole('searchbox', { name: 'Search' });
    expect(await search.inputValue()).toBe('6475');
    await page.getByRole('link', { name: 'Entries', exact: true }).click();
    await page.waitForURL('**/app/entries');
    await search.and(page.locator('[value=""]')).waitFor();
  });

  it('learns from a preview what would become of how many entries, and that nothing would be posted', async () => {
    await at.open('');
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
    await triggerExport(programs.clients.simulator);
    await page.getByText('Proved · 154 of 154 read back').waitFor({ timeout: 90_000 });
    await page
      .getByRole('row')
      .getByRole('link', { name: /20\d\d/ })
      .click();
    await at.press("Preview with today's mapping");
    await at.see('None of the entries would be posted.');
    await page.getByRole('button', { name: 'stands in the books like this: 142' }).waitFor();
    await page.getByRole('button', { name: 'would fail: 5' }).click();
    await page.waitForURL('**action=fail*');
    await page.getByText('would fail', { exact: true }).nth(4).waitFor();
    expect(await page.getByText('stands in the books like this', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Post exactly this' }).count()).toBe(0);
    await at.look('preview-failing');
    expect(await at.barriers()).toEqual([]);
  });

  it('reads which entry a discrepancy is about before settling it, and who settled one and why', async () => {
    const [accountingEntryId, id] = [randomUUID(), randomUUID()];
    const settled = {
      settledAs: 'accept',
      settledAt: '2026-11-20T10:00:00Z',
      settledBy: 'token',
      note: 'booked as J-7',
    };
    const discrepancy = {
      ...{ id, class: 'amount-drift', subject: accountingEntryId, accountingEntryId, exportJobId: null },
      entry: { date: '2026-11-09', type: 'invoice', supplier: 'Nordic Office AB', person: null, documentNumber: 'R-7' },
      message: { code: '', text: 'The amount differs.', parameters: {} },
      money: { amountMinor: '12500', currency: 'EUR', exponent: 2 },
      ...{ firstSeenAt: '2026-11-10T10:00:00Z', settledAs: null, settledAt: null, settledBy: null, note: null },
      actions: ['accept'],
    };
    await page.route('**/api/v1/discrepancies?*', async (route) => {
      const isOpen = route.request().url().includes('state=open');
      await route.fulfill({
        json: { data: [isOpen ? discrepancy : { ...discrepancy, ...settled }], nextCursor: null },
      });
    });
    await at.open('reconciliation');
    await at.press('Accept');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The amount differs.').waitFor();
    const entry = dialog.getByRole('link', { name: /^Nordic Office AB · invoice · R-7 · 9 Nov 2026 · .*125.00/ });
    expect(await entry.getAttribute('href')).toBe(`/app/entries/${accountingEntryId}`);
    await page.keyboard.press('Escape');
    await page.getByText('Accepted', { exact: true }).click();
    await page.waitForURL('**state=accepted');
    await at.see('accepted · 20 Nov 2026');
    await at.see('booked as J-7');
    expect(await at.barriers()).toEqual([]);
  });

  it('reads of each list of issues why it is empty', async () => {
    await at.open('issues?state=snoozed');
    await at.see('Nothing is put off.');
    await at.open('issues?state=closed');
    await at.see('Nothing was resolved yet.');
    await at.open('issues');
    await page.getByRole('article').first().waitFor();
    await page.getByLabel('assigned to me').check();
    await at.see('Nothing was found.');
  });

  it('finds a note again that could not be saved', async () => {
    await at.open('issues?search=6475');
    await page.route('**/issues/*/handling', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Ask the travel office.');
    await at.press('Save');
    await at.see('The connector cannot be reached');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Ask the travel office.');
    await page.keyboard.press('Escape');
  });

  it('presses Now twice, and the entries are exported again once', async () => {
    await at.open('issues?search=6475');
    let requests = 0;
    await page.route('**/issues/*/resolution', async (route) => {
      requests += 1;
      await route.fulfill({ status: 409, json: { detail: 'Others resolve it at the moment.' } });
    });
    await chooseAccount();
    await page.getByRole('button', { name: 'Resolve and export again' }).click();
    await page.getByRole('button', { name: 'Now' }).dblclick();
    await at.see('Others resolve it at the moment.');
    expect(requests).toBe(1);
  });

  it('reads a refusal also on the page that they have gone on to', async () => {
    await at.open('issues?search=6475');
    await page.route('**/issues/*/resolution', (route) =>
      route.fulfill({ status: 409, json: { detail: 'Others resolve it at the moment.' } }),
    );
    await chooseAccount();
    await page.getByRole('button', { name: 'Resolve and export again' }).click();
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await at.press('Now');
    await page.getByRole('alert').getByText('Others resolve it at the moment.').waitFor();
  });

  it.each([
    ['types while the list of accounts is on its way', '64', '64'],
    ['enters the field while the list of accounts is on its way, then types', '', '64'],
  ])('%s, over an earlier choice', async (_, before, typed) => {
    const list = Promise.withResolvers<undefined>();
    await page.route('**/erp/accounts*', async (route) => {
      await list.promise;
      await route.continue();
    });
    await at.open('issues?search=6475');
    const field = page.getByRole('article').filter({ hasText: '6475' }).getByRole('combobox');
    expect(await field.inputValue()).toBe('6440');
    await field.selectText();
    await page.keyboard.type(before);
    list.resolve(undefined);
    await page.getByRole('option', { name: '6440 Small equipment' }).waitFor();
    await page.keyboard.type(typed.slice(before.length));
    expect(await field.inputValue()).toBe(typed);
    await page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('6440 Small equipment');
  });

  it('types a code, goes on with the next field, and has chosen it', async () => {
    await at.open('issues?search=6475');
    const card = page.getByRole('article').filter({ hasText: '6475' });
    await chooseAccount();
    await card.getByRole('button', { name: 'Resolve and export again' }).click();
    await at.press('Now');
    await card.waitFor({ state: 'detached' });
  });

  it('sees in the history of the mapping which issue a version comes from, and compares it with any earlier one', async () => {
    await at.open('mapping?tab=versions');
    await page.getByRole('link', { name: 'Compare version 2' }).click();
    await page.getByText('6475 → 6440').first().waitFor();
    await page.getByLabel('Version 2, compared with version').waitFor();
    await page.getByRole('link', { name: 'by an issue' }).click();
    await page.getByRole('heading', { name: 'Issue' }).waitFor();
    await at.see('Account 6475');
  });

  it('cannot make a token whose label says nothing', async () => {
    await at.open('people?tab=tokens');
    const label = page.getByRole('textbox', { name: 'Label' });
    await label.fill('   ');
    await at.press('Create a token');
    await label.and(page.locator(':invalid')).waitFor();
    expect(await label.getAttribute('maxlength')).toBe('100');
  });

  it('has the focus on what comes next after removing something, and where it was after pressing a button', async () => {
    await at.open('people?tab=tokens');
    const revoke = (label: string) => page.getByRole('button', { name: `Revoke ${label}` });
    for (const label of ['Payroll', 'Scripts']) {
      await page.getByRole('textbox', { name: 'Label' }).fill(label);
      await at.press('Create a token');
      await revoke(label).waitFor();
    }
    await revoke('Scripts').press('Enter');
    await page.getByRole('button', { name: 'Now' }).press('Enter');
    await revoke('Scripts').waitFor({ state: 'detached' });
    await revoke('Payroll').and(page.locator(':focus')).waitFor();
    await at.open('people?tab=sessions');
    const others = page.getByRole('button', { name: 'End all others' });
    const ended = page.waitForResponse((one) => one.request().method() === 'DELETE');
    await others.press('Enter');
    await ended;
    await others.and(page.locator(':focus')).waitFor();
  });

  it('meets no page of the closed menu on a phone', async () => {
    await page.setViewportSize(PHONE);
    await at.open('people?tab=sessions');
    const certificates = page.getByRole('link', { name: 'Certificates', exact: true });
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await certificates.press('Enter');
    await page.getByRole('heading', { name: 'Certificates' }).waitFor();
    await certificates.waitFor({ state: 'hidden' });
    await page.setViewportSize(WIDE);
    await certificates.waitFor();
  });

  it('reads once, after signing out in another tab, that the session has ended, and goes on after a sign-in there', async () => {
    await page.clock.install();
    await at.open('issues');
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
    const other = await at.context.newPage();
    await other.goto(`${programs.operator.url}/app`);
    const refusedStream = page.waitForResponse((one) => one.url().endsWith('/events') && one.status() === 401);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await refusedStream;
    await page.clock.runFor(10_000);
    await at.see('Your session has ended');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.runFor(60_000);
    expect(asked).toEqual([]);
    await other.getByRole('link', { name: 'Sign in' }).click();
    await other.getByRole('button', { name: 'Approve' }).click();
    await other.getByRole('heading', { name: 'Last exports' }).waitFor();
    await other.close();
    const me = page.waitForResponse((one) => one.url().endsWith('/me') && one.ok());
    // What the browser says when its window is looked at again.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await me;
    await page.clock.runFor(30_000);
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
  });

  it('sends nothing to the company in which another tab has gone on', async () => {
    await at.open('people?tab=tokens');
    await page.getByRole('textbox', { name: 'Label' }).fill('Of this company');
    await at.press('Create a token');
    await page.getByRole('button', { name: 'Revoke Of this company' }).click();
    await page.route('**/api/v1/me', async (route) => {
      const response = await route.fetch();
      const me = (await response.json()) as object;
      await route.fulfill({ response, json: { ...me, installationId: randomUUID(), csrfToken: 'of the other one' } });
    });
    await become('hidden');
    await become('visible');
    await at.see('Another company, or another person');
    const revoked = page.waitForRequest((one) => one.method() === 'DELETE');
    await at.press('Now');
    expect((await revoked).headers()['x-csrf-token']).not.toBe('of the other one');
  });

  it('leaves the connections to the server to the tab that is seen', async () => {
    const isStream = (request: Request) => request.url().endsWith('/events');
    await at.open('issues');
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
    const ended = page.waitForEvent('requestfailed', isStream);
    await become('hidden');
    await ended;
    const begun = page.waitForRequest(isStream);
    const issuesAgain = page.waitForResponse((one) => one.url().includes('/issues?') && one.ok());
    await become('visible');
    await Promise.all([begun, issuesAgain]);
    await page.locator('[data-live="true"]').waitFor({ state: 'attached' });
  });

  it('sees that an operator token is wrong, not how a program sends one', async () => {
    await page.goto(`${programs.apiUrl}/operator`);
    await page.getByRole('textbox', { name: 'Operator token' }).fill('not a token');
    await at.press('Sign in');
    await at.see('This is not the token of an operator');
    expect(await page.getByText('Bearer').count()).toBe(0);
  });

  it('has logged no error meanwhile', () => {
    expect(at.problems).toEqual([]);
  });
});
