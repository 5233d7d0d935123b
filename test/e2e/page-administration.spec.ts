// An admin at the pages of what is changed rarely, in a real browser, with all programs behind it: nothing of it needs a command
// line. With SCREENSHOTS=<folder> it takes pictures of each part, in both color schemes.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { createLedgerKey } from '../../src/sandbox/launch/demo/connect-company.js';
import { demoAccounts } from '../../src/sandbox/launch/demo/demo-chart.js';
import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';
import { connectAsAdmin } from '../support/test-database.js';

const keySchema = z.object({ apiKey: z.string() });
const settingsSchema = z.object({
  version: z.number(),
  accounts: z.unknown(),
  policies: z.record(z.string(), z.unknown()),
});

(hasChromium ? describe : describe.skip)('an admin at what is changed rarely', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;

  // The server ends a connection that nothing has used for 72 s, perhaps just as it is used again.
  const read = async (path: string): Promise<unknown> => {
    const answer = await at.page.request.get(`${programs.operator.url}/api/v1/${path}`, { maxRetries: 2 });
    return answer.json();
  };

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
    await at.signInToSetUp(programs.operator.url);
  });

  it('connects with a key of its own and renews that: one that is refused changes nothing', async () => {
    const newKey = () => createLedgerKey(programs.clients.ledger, demoCompany.ledgerId);
    await at.press('Change: Accounting system');
    const block = at.page.getByRole('region', { name: 'Accounting system', exact: true });
    const key = block.getByLabel('API key').and(at.page.locator('input'));
    await block.getByLabel('Address').fill(programs.ledgerProxy.url);
    await key.fill(await newKey());
    // The operator has linked a company for it: that has to be given up knowingly.
    const connect = block.getByRole('button', { name: 'Connect', exact: true });
    await connect.click();
    await block.getByLabel('Change to another accounting system').check();
    await connect.click();
    const renew = block.getByRole('button', { name: 'Test and save' });
    await renew.waitFor();
    await key.fill('no-key-of-the-ledger');
    await renew.click();
    await block.getByRole('alert').waitFor();
    await at.looksGood('setup-erp-key-refused', block);
    await key.fill(await newKey());
    await renew.click();
    while ((await key.inputValue()) !== '') {
      await at.settle();
    }
    expect(await read('erp-connection')).toMatchObject({ state: 'ok' });
    await at.press('Link this company');
    await at.see('The company is linked.');
  });

  it('checks whether what is mapped to is still in the accounting system', async () => {
    const drift = at.page.getByRole('region', { name: 'Is what you map to still there?' });
    const account = demoAccounts.find(({ code }) => code === '1131');
    const save = (active: boolean) =>
      programs.clients.ledger.put(`/companies/${demoCompany.ledgerId}/accounts`, {
        json: { data: [{ ...account, active }] },
      });
    await save(false);
    await drift.getByRole('button', { name: 'Check now' }).click();
    await drift.getByText('1131').waitFor();
    await at.looksGood('setup-drift', drift);
    await at.open('mapping?tab=unmapped');
    await drift.getByText('1131').waitFor();
    await at.looksGood('mapping-drift', drift);
    await save(true);
    await drift.getByRole('button', { name: 'Check now' }).click();
    await drift.getByText('the accounting system has everything').waitFor();
  });

  it('sets after how many days an open discrepancy raises an alert', async () => {
    await at.open('reconciliation');
    await at.see('A discrepancy that stays open for 7 days raises an alert');
    await at.page.getByLabel('Days before an alert').fill('3');
    await at.press('Save');
    await at.see('A discrepancy that stays open for 3 days raises an alert');
    expect(await read('reconciliation')).toMatchObject({ alertAfterDays: 3 });
    await at.looksGood('reconciliation-days');
  });

  it('gets the secret of a new webhook for alerts once, and changes their kinds without its address', async () => {
    await at.open('people?tab=alerts');
    const how = at.page.getByLabel('How', { exact: true });
    expect(await how.getByRole('option', { name: 'By mail: the operator' }).isDisabled()).toBe(true);
    await how.selectOption('webhook');
    await at.page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9999/services/very-secret-9876');
    await at.press('Save');
    await at.see('whsec_');
    await at.see('Until now 127.0.0.1:9999…9876; left empty, it stays.');
    await at.page.getByLabel('Summary of each day').check();
    await at.press('Save');
    await at.page.getByText('whsec_').waitFor({ state: 'detached' });
    expect(await read('alert-settings')).toMatchObject({
      address: '127.0.0.1:9999…9876',
      kinds: expect.arrayContaining(['digest-daily']),
    });
  });

  it('chooses which dimensions are tag groups, and is asked before one is archived', async () => {
    await at.open('reference-data?tab=tags');
    await at.page.getByLabel('CC Cost centre').waitFor();
    await at.page.getByLabel('CC Cost centre').check();
    await at.page.getByLabel('PRJ Project').check();
    await at.press('Save the choice');
    await at.see('Chosen by Ada Berg.');
    const known = await read('reference-data/dimensions');
    await at.page.getByLabel('CC Cost centre').uncheck();
    await at.looksGood('dimensions');
    await at.press('Save the choice');
    await at.undo('archived on the platform, with all values: Cost centre');
    expect(await read('reference-data/dimensions')).toEqual(known);
    await at.press('Save the choice');
    await Promise.all([at.page.waitForResponse((answer) => answer.request().method() === 'PUT'), at.press('Now')]);
    expect(await read('reference-data/dimensions')).toMatchObject({ chosen: ['PRJ'] });
  });

  it('finds no draft of dimensions over what was chosen elsewhere meanwhile', async () => {
    const project = at.page.getByLabel('PRJ Project');
    await project.uncheck();
    await programs.clients.connector.put('/api/v1/reference-data/dimensions', {
      json: { codes: ['CC', 'PRJ'] },
      headers: { 'if-match': '"2"' },
    });
    await at.page.reload();
    await at.page.getByLabel('CC Cost centre').and(at.page.locator(':checked')).waitFor();
    expect(await project.isChecked()).toBe(true);
  });

  it('enters an exchange rate, corrects it, and takes that back', async () => {
    const rate = at.page.getByRole('textbox', { name: 'Rate' });
    await at.open('reference-data?tab=rates');
    await at.see('only where the accounting system has none');
    await at.see('There are no rates.');
    await at.page.getByLabel('Day').fill('2026-03-02');
    await at.page.getByLabel('From').selectOption('USD');
    await at.page.getByLabel('To').selectOption('EUR');
    await rate.fill('0.91.2');
    await at.see('A rate is written as 0.9123 or');
    await at.looksGood('rates-wrong');
    await rate.fill('0,9123');
    await at.press('Enter the rate');
    const row = at.page.getByRole('row').filter({ hasText: 'USD' });
    await row.getByText('0.9123').waitFor();
    await row.getByRole('button', { name: 'Correct the rate USD to EUR of 2 Mar 2026' }).click();
    await rate.fill('0.9321');
    await at.press('Correct the rate (0.9123 until now)');
    await row.getByText('0.9321').waitFor();
    await at.page
      .getByRole('alert')
      .filter({ hasText: 'Entered: USD to EUR for 2 Mar 2026, 0.9321' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await row.getByText('0.9123').waitFor();
    expect(await read('exchange-rates')).toMatchObject({ csv: 'date,from,to,rate\n2026-03-02,USD,EUR,0.9123\n' });
  });

  it('replaces all rates by a file, and shows which line of it is wrong', async () => {
    const file = (rows: string) => ({
      name: 'rates.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`date;from;to;rate\r\n${rows}`),
    });
    const chooser = at.page.locator('input[type=file]');
    await chooser.setInputFiles(file('2026-03-03;USD;EUR;0,91\r\n'));
    await at.see('rates.csv has one rate. The one that is there is replaced.');
    await at.press('Replace all rates');
    await at.see('Line 2: "0,91" is no rate');
    await at.looksGood('rates-file-wrong');
    await chooser.setInputFiles(file('2026-03-03;USD;EUR;0.91\r\n2026-03-03;JPY;EUR;0.0061\r\n'));
    await at.press('Replace all rates');
    await at.page.getByRole('row').filter({ hasText: 'JPY' }).waitFor();
    await at.looksGood('rates');
    const [download] = await Promise.all([at.page.waitForEvent('download'), at.press('Download the rates')]);
    expect(download.suggestedFilename()).toBe('exchange-rates.csv');
    await at.press('Remove the rate JPY to EUR of 3 Mar 2026');
    await at.page.getByRole('row').filter({ hasText: 'JPY' }).waitFor({ state: 'detached' });
    expect(await at.overflowOnPhone('rates', '0.91')).toBe(0);
  });

  it('is refused when another admin has replaced the rates meanwhile, and sees theirs', async () => {
    const file = (rate: string) => ({
      name: 'rates.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`date,from,to,rate\n2026-03-04,USD,EUR,${rate}\n`),
    });
    const replace = async (page: Page, rate: string) => {
      await page.locator('input[type=file]').setInputFiles(file(rate));
      await page.getByRole('button', { name: 'Replace all rates' }).click();
    };
    await at.open('reference-data?tab=rates');
    await at.see('2026');
    const other = await at.context.newPage();
    await other.goto(at.page.url());
    await replace(other, '0.92');
    await other.getByRole('row').filter({ hasText: '0.92' }).waitFor();
    await other.close();
    await replace(at.page, '0.93');
    await at.see('It was saved by another request meanwhile.');
    await at.page.getByRole('row').filter({ hasText: '0.92' }).waitFor();
    await at.press('Replace all rates');
    await at.page.getByRole('row').filter({ hasText: '0.93' }).waitFor();
    expect(await read('exchange-rates')).toMatchObject({ csv: 'date,from,to,rate\n2026-03-04,USD,EUR,0.93\n' });
  });

  it('agrees on a new secret with the platform, and says which time its notifications carry', async () => {
    await at.open('setup');
    const link = at.block('Link to the platform');
    await link.getByText('are signed with a secret of').waitFor();
    await link.getByRole('button', { name: 'Agree on a new secret' }).click();
    await at.press('Now');
    await link.getByText('The one before is accepted until').waitFor();
    await link.getByLabel('Time that notifications carry').selectOption('time of the event');
    await link.getByRole('button', { name: 'Save' }).click();
    // The notice, not a text of the page.
    await at.page.getByText('Saved.', { exact: true }).waitFor();
    expect(await read('webhook-settings')).toEqual({ timestampMeaning: 'generation' });
    await at.looksGood('setup-link', link);
  });

  it('sees what the platform has sent, and has it taken in once more', async () => {
    await triggerExport(programs.clients.simulator);
    const link = at.block('Link to the platform');
    await link.getByRole('button', { name: 'Show what the platform has sent' }).click();
    await link.getByText('New export').first().waitFor();
    await link.getByRole('button', { name: 'Take in again' }).first().click();
    await at.see('It is handled once more.');
    await at.looksGood('setup-received', link);
    await link.getByLabel('State').selectOption('set aside');
    await link.getByText('There is none.').waitFor();
  });

  it('takes everything that is stored as a file', async () => {
    const [download] = await Promise.all([
      at.page.waitForEvent('download'),
      at.press('Download everything that is stored'),
    ]);
    expect(download.suggestedFilename()).toBe('installation.json');
  });

  it('enters an API key of the platform: one that it refuses is reported beside the field and changes nothing', async () => {
    const dialog = at.page.getByRole('dialog');
    await at.press('Enter an API key of the platform');
    const key = dialog.getByLabel('API key').and(at.page.locator('input'));
    await key.fill('no-key-of-the-platform');
    await dialog.getByRole('button', { name: 'Test and save' }).click();
    await dialog.getByText('The platform does not accept this API key.').waitFor();
    expect(await key.getAttribute('aria-invalid')).toBe('true');
    await at.looksGood('setup-platform-key');
    const { simulator } = programs.clients;
    const path = '/control/api-keys';
    const made = await simulator.post(path, { companyId: demoCompany.id, name: 'Page' });
    await key.fill(simulator.parse(keySchema, made, path).apiKey);
    await dialog.getByRole('button', { name: 'Test and save' }).click();
    await at.see('The platform accepts the key for Saltholm Disain OÜ.');
    await dialog.waitFor({ state: 'detached' });
    await at.see('The connector gets in with an API key');
    await at.press('Enter an API key of the platform');
    expect(await key.inputValue()).toBe('');
    await at.press('Close');
  });

  it('signs in again where the last sign-in is too old, and goes on with what was entered', async () => {
    const dialog = at.page.getByRole('dialog');
    const database = await connectAsAdmin(programs.connectorEnvironment['DATABASE_URL'] ?? '');
    await database.query(`UPDATE member_session SET ends_at = ends_at - interval '15 minutes'`);
    await database.end();
    // What waits for ten seconds before it is sent is not begun in vain.
    await at.page.goto(`${programs.operator.url}/app/issues`);
    await at.page
      .getByRole('button', { name: /^(Export again|Resolve and export again)$/ })
      .first()
      .click();
    await dialog.getByText('Nothing was changed').waitFor();
    expect(await at.page.getByRole('button', { name: 'Now', exact: true }).count()).toBe(0);
    // The address that the platform sends people back to: a form is kept for the address it was filled at.
    await at.page.goto(`${programs.operator.url}/app/setup`);
    await at.press('Change: When something is unusual');
    await at.page.getByLabel('Receipt that cannot be attached').selectOption('report as failed');
    await at.block('When something is unusual').getByRole('button', { name: 'Looks right' }).click();
    await dialog.getByText('Nothing was changed').waitFor();
    await dialog
      .getByRole('link', { name: 'Sign in' })
      .or(dialog.getByRole('button', { name: 'Sign in' }))
      .click();
    await at.press('Approve');
    await at.page.getByRole('heading', { name: 'Set-up' }).waitFor();
    await at.press('Change: When something is unusual');
    const receipts = at.page.getByLabel('Receipt that cannot be attached');
    expect(await receipts.locator('option:checked').textContent()).toBe('report as failed');
    const saved = at.page.waitForResponse((response) => response.request().method() === 'PUT');
    await at.looksRight('When something is unusual');
    expect((await saved).status()).toBe(200);
    expect(await read('settings')).toMatchObject({ policies: { receipts: 'fail' } });
  });

  it('finds no draft of policies over what was saved elsewhere meanwhile', async () => {
    const { version, accounts, policies } = settingsSchema.parse(await read('settings'));
    const state = at.page.getByLabel('Entries are created');
    await at.open('setup');
    await at.press('Change: When something is unusual');
    await state.selectOption('draft');
    await programs.clients.connector.put('/api/v1/settings', {
      json: { accounts, policies: { ...policies, conflicts: 'reverse-and-repost' } },
      headers: { 'if-match': `"${version.toString()}"` },
    });
    await at.page.reload();
    await at.press('Change: When something is unusual');
    expect(await state.inputValue()).toBe('posted');
  });

  it('disconnects the accounting system, after seeing what stops and what stays', async () => {
    const dialog = at.page.getByRole('dialog');
    await at.open('setup');
    await at.press('Change: Accounting system');
    await at.press('Disconnect the accounting system');
    await dialog.getByText('What is posted stays in the books.').waitFor();
    await at.looksGood('setup-disconnect-erp');
    await dialog.getByRole('button', { name: 'Keep it connected' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read('erp-connection')).toMatchObject({ state: 'ok' });
    const other = await BookkeeperPage.start(browser, programs.apiUrl);
    await other.signInToSetUp(programs.operator.url);
    await other.open('setup');
    await other.page.locator('[data-live="true"]').waitFor({ state: 'attached' });
    await other.press('Change: Accounting system');
    await other.see('Disconnect the accounting system');
    await at.press('Disconnect the accounting system');
    await dialog.getByRole('button', { name: 'Disconnect now' }).click();
    await at.see('The accounting system is disconnected.');
    expect(await read('erp-connection')).toMatchObject({ status: 404 });
    const block = at.page.getByRole('region', { name: 'Accounting system', exact: true });
    await block.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    expect(await at.page.getByRole('button', { name: 'Disconnect the accounting system' }).count()).toBe(0);
    // Another admin's page shows it without being loaded again.
    await other.page.getByRole('button', { name: 'Disconnect the accounting system' }).waitFor({ state: 'detached' });
    await other.see('Not ready to export');
    await other.context.close();
    expect(other.problems).toEqual([]);
  });

  it('has logged no error meanwhile', () => {
    expect(at.problems).toEqual([]);
  });
});
