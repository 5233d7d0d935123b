// An admin disconnects the company at the page, in a real browser, with all programs behind it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

(hasChromium ? describe : describe.skip)('an admin at the set-up', () => {
  const programs = startedOnce(() => RunningPrograms.start());
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
    await at.signInToSetUp(programs.operator.url);
  });

  it('chooses what becomes of changed and reversed entries and of receipts', async () => {
    await at.press('Change: When something is unusual');
    await at.page.getByLabel('Entry changed after it was posted').selectOption('reverse and post anew');
    await at.page.getByLabel('Receipt that cannot be attached').selectOption('report as failed');
    await at.page.getByLabel('Entry reversed in the accounting system').selectOption('report as failed');
    // What was decided before says so until the answer has come.
    const saved = at.page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().endsWith('/api/v1/settings'),
    );
    await at.looksRight('When something is unusual');
    await saved;
    const answer = await at.page.request.get(`${programs.operator.url}/api/v1/settings`, { maxRetries: 2 });
    expect(await answer.json()).toMatchObject({
      policies: { conflicts: 'reverse-and-repost', receipts: 'fail', reversedInErp: 'fail' },
    });
  });

  it('has an operator beside them, who reads that the connection is lost', async () => {
    const operator = await BookkeeperPage.start(browser, programs.apiUrl);
    await operator.page.goto(`${programs.apiUrl}/operator`);
    await operator.page.getByLabel('Operator token').fill(programs.operator.token);
    await operator.press('Sign in');
    await operator.see('Saltholm Disain OÜ');
    await operator.context.setOffline(true);
    await operator.see('You see what was loaded last');
    expect(await operator.barriers()).toEqual([]);
    await operator.context.setOffline(false);
    await operator.page.getByText('You see what was loaded last').waitFor({ state: 'detached' });
    await operator.context.close();
  });

  it('disconnects the company, by its name alone', async () => {
    const dialog = at.page.getByRole('dialog');
    const disconnect = () => dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await at.press('Disconnect this company');
    await dialog.getByRole('textbox').fill('Another');
    await at.look('setup-disconnect');
    expect(await at.barriers()).toEqual([]);
    await disconnect();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox').fill('Saltholm Disain OÜ ');
    await disconnect();
    await at.see('The company is disconnected, and the platform knows it.');
    const connection = await at.page.request.get(`${programs.operator.url}/api/v1/connection`, { maxRetries: 2 });
    expect(connection.status()).toBe(401);
  });
});
