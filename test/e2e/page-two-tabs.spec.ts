// What a person changes while it is saved in another tab, or by somebody else: nothing is overwritten without a word, nothing that
// was entered is lost. In a real browser, with answers of the sample company in place of the API.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { SAMPLE_ORIGIN, serveApi } from '../support/browser/sample-page.js';
import { startedOnce } from '../support/started-once.js';

const ALERTS = { version: 1, channel: 'off', address: null, kinds: ['export-failed', 'digest-daily'] };
const RULE = {
  ...{ id: '7', subject: 'account', sourceGroup: null, source: '6911', itemType: null, tagGroup: null, tag: null },
  ...{ targetGroup: null, target: '6820' },
};
const RULES = { version: 4, targetsChecked: true, data: [RULE], nextCursor: null };
const CHANGED = { type: 'urn:erp-export-connector:problem:version-changed', status: 412, detail: 'It has changed.' };
const TAKEN_AGAIN = `for (const value of ['hidden', 'visible']) {
  Object.defineProperty(document, 'visibilityState', { value, configurable: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}`;

(hasChromium ? describe : describe.skip)('a person who changes what is saved in another tab', () => {
  const browser = startedOnce(launchChromium);
  /** What the API answers now, by path. */
  const now = new Map<string, unknown>();
  let at: BookkeeperPage;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveApi(at, now, () => ({ status: CHANGED.status, json: CHANGED }));
  });

  it('reads that the alerts were saved meanwhile, and gets back what they had entered', async () => {
    const path = '/api/v1/alert-settings';
    now.set(path, ALERTS);
    await at.open('people?tab=alerts');
    const digest = at.page.getByRole('checkbox', { name: 'Summary of each day' });
    await digest.uncheck();
    now.set(path, { ...ALERTS, version: 2, kinds: ['digest-daily'] });
    await at.press('Save');
    await at.see('You see what is there now.');
    await at.see('It was saved by another request meanwhile.');
    expect(await digest.isChecked()).toBe(true);
    await at.press('Put back what I entered');
    await at.page.getByText('You see what is there now.').waitFor({ state: 'detached' });
    expect(await digest.isChecked()).toBe(false);
    expect(await at.page.getByRole('checkbox', { name: 'Export failed' }).isChecked()).toBe(true);
  });

  it('reads in the form of a rule that it was changed meanwhile, and to what', async () => {
    const path = '/api/v1/mapping/rules';
    now.set(path, RULES);
    await at.open('mapping?tab=account');
    await at.press('Change the rule for 6911');
    await at.choose('In the accounting system', '6440');
    now.set(path, { ...RULES, version: 5, data: [{ ...RULE, target: '1020' }] });
    await at.page.evaluate(TAKEN_AGAIN);
    await at.see('it leads to 1020 now');
    const target = at.page.getByRole('dialog').getByRole('combobox', { name: 'In the accounting system' });
    expect(await target.inputValue()).toMatch(/^6440/);
  });

  it('orders a list from its other end with two quick clicks on a header', async () => {
    const [, id = ''] =
      /"\/api\/v1\/jobs\/([0-9a-f-]{36})"/.exec(readFileSync('web/sample/answers.json', 'utf8')) ?? [];
    await at.open(`sample/exports/${id}`);
    await at.page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').dblclick();
    await at.page.waitForURL('**sort=-amount*');
  });
});
