// What a person changes while it is saved in another tab, or by another person: nothing is overwritten without a word, nothing that
// was entered is lost. What a bookkeeper does with keys alone. In a real browser, with answers of the sample company in place of
// the API.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { SAMPLE_ORIGIN, serveApi } from '../support/browser/sample-page.js';
import { startedOnce } from '../support/started-once.js';

interface Issue {
  readonly issueKey: string;
  readonly handling: object;
  readonly message: { readonly text: string };
}

const ALERTS = { version: 1, channel: 'off', address: null, kinds: ['export-failed', 'digest-daily'] };
const RULE = {
  ...{ id: '7', subject: 'account', sourceGroup: null, source: '6911', itemType: null, tagGroup: null, tag: null },
  ...{ targetGroup: null, target: '6820' },
};
const RULES = { version: 4, targetsChecked: true, data: [RULE], nextCursor: null };
const answers = JSON.parse(readFileSync('web/sample/answers.json', 'utf8')) as Record<string, { data: Issue[] }>;
const OPEN_ISSUES = answers['/api/v1/issues?limit=1000&sort=amount'];
const [issue, next] = OPEN_ISSUES?.data ?? [];
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

  it('reads beside a note that it was changed meanwhile, and to what', async () => {
    const path = '/api/v1/issues';
    const noted = (note: string | null) => ({ data: [{ ...issue, handling: { ...issue?.handling, note } }] });
    now.set(path, { ...noted('Ask Bob.'), nextCursor: null });
    await at.open('issues');
    await at.press('Note');
    const field = at.page.getByRole('textbox', { name: 'Note' });
    await field.fill('Ask Bob. He is back on Monday.');
    now.set(path, { ...noted('Bob has left.'), nextCursor: null });
    await at.page.evaluate(TAKEN_AGAIN);
    await at.see('It says now: Bob has left.');
    expect(await field.inputValue()).toBe('Ask Bob. He is back on Monday.');
    // A click beside the field is no wish to lose what was typed; Escape is.
    await at.page.getByRole('heading', { name: 'Issues' }).click();
    await field.waitFor({ state: 'detached' });
    await at.press('Note');
    expect(await field.inputValue()).toBe('Ask Bob. He is back on Monday.');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await at.press('Note');
    expect(await field.inputValue()).toBe('Bob has left.');
    now.delete(path);
  });

  it('orders a list from its other end with two quick clicks on a header', async () => {
    const [, id = ''] =
      /"\/api\/v1\/jobs\/([0-9a-f-]{36})"/.exec(readFileSync('web/sample/answers.json', 'utf8')) ?? [];
    await at.open(`sample/exports/${id}`);
    const header = at.page.getByRole('columnheader', { name: 'Amount' }).getByRole('button');
    await header.waitFor();
    // The second click comes before what the first one does is drawn.
    const devTools = await at.context.newCDPSession(at.page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 10 });
    await header.dblclick();
    await at.page.waitForURL('**sort=-amount*');
    await devTools.detach();
  });
});

(hasChromium ? describe : describe.skip)('a bookkeeper who uses no mouse', () => {
  const browser = startedOnce(launchChromium);
  const focused = () => at.page.evaluate<string>(`document.activeElement.id || document.activeElement.textContent`);
  /** What was noted about issues, as it was sent. */
  const noted: unknown[] = [];
  let at: BookkeeperPage;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveApi(at, new Map([['/api/v1/issues', OPEN_ISSUES]]), (request) => {
      noted.push(request.postDataJSON());
      return { json: {} };
    });
    await at.open('issues');
    await at.expectCards(5);
  });

  it('assigns an issue with Enter, and is back at the button', async () => {
    const assign = at.page.getByRole('button', { name: 'Assign' }).first();
    await assign.press('Enter');
    const field = at.page.getByRole('combobox', { name: 'Assign' });
    await field.fill('Bob');
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
    await at.page.getByRole('alert').filter({ hasText: 'Bob takes care of it' }).waitFor();
    expect(noted).toEqual([{ assignee: 'Bob' }]);
    await assign.and(at.page.locator(':focus')).waitFor();
  });

  it('gives up a note with Escape, and is back at the button', async () => {
    const note = at.page.getByRole('button', { name: 'Note' }).first();
    await note.press('Enter');
    const field = at.page.getByRole('textbox', { name: 'Note' });
    await field.fill('No.');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await note.and(at.page.locator(':focus')).waitFor();
  });

  it('moves from the issue that has the focus, and selects that one', async () => {
    const third = at.page.getByRole('article').nth(2);
    await third.getByRole('button', { name: 'Put off for a week' }).focus();
    await at.page.keyboard.press('x');
    await third.getByRole('checkbox', { checked: true }).waitFor();
    await at.page.keyboard.press('k');
    expect(await focused()).toBe(next?.issueKey);
    await at.page.keyboard.press('k');
    expect(await focused()).toBe(issue?.issueKey);
  });

  it('has logged no error meanwhile', () => {
    expect(at.problems).toEqual([]);
  });
});
