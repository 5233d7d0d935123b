// What a page says after something was not done, or was taken back. In a real browser, with answers of the sample company in place of the API.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { SAMPLE_ORIGIN, serveApi, type Changing } from '../support/browser/sample-page.js';
import { startedOnce } from '../support/started-once.js';

const POSTING = {
  ...{ accountingEntryId: 'e-1', reference: 'R-77', revision: 1, sentAt: '2026-11-20T10:00:00Z' },
  ...{ entries: [], state: 'in-doubt' },
};
/** Longer than a message that fades. */
const LOOKING_AWAY_MS = 6_000;
const RULES_FILE = {
  name: 'rules.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('subject,source,target\r\naccount,6902,6440\r\n'),
};

/** A stream of events that stays open, whatever becomes of requests. */
const OPEN_STREAM = `window.EventSource = class extends EventTarget {
  static CONNECTING = 0; static OPEN = 1; static CLOSED = 2;
  readyState = 1;
  close() { this.readyState = 2; }
}`;

(hasChromium ? describe : describe.skip)('a person whose change is refused, or taken back', () => {
  const browser = startedOnce(launchChromium);
  const now = new Map<string, unknown>();
  let at: BookkeeperPage;
  let changing: Changing;

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, SAMPLE_ORIGIN);
    await serveApi(at, now, (request) => changing(request));
  });
  beforeEach(() => {
    now.clear();
  });

  it('still reads that an answer about a posting was lost when they look again, and answers once more', async () => {
    now.set('/api/v1/in-doubt-postings', { data: [POSTING], nextCursor: null });
    changing = () => undefined;
    await at.open('reconciliation');
    await at.press('It is not');
    await at.press('Now');
    await at.see('The connector cannot be reached. If you have just changed something');
    await at.page.waitForTimeout(LOOKING_AWAY_MS);
    const told = at.page.getByRole('alert').filter({ hasText: 'what has arrived is not done twice' });
    expect(await told.count()).toBe(1);
    await told.getByRole('button', { name: 'Close' }).click();
    await told.waitFor({ state: 'detached' });
    expect(await at.page.getByRole('button', { name: 'It is not', exact: true }).isEnabled()).toBe(true);
  });

  it('imports the own export, which changes nothing', async () => {
    const counts = { added: 0, changed: 0, removed: 0 };
    changing = () => ({ json: { checksum: 'c', version: 1, saved: false, counts, removedInUse: [], changes: [] } });
    await at.open('mapping?tab=files');
    await at.page.locator('input[type=file]').setInputFiles(RULES_FILE);
    await at.see('It would change nothing');
    expect(await at.page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
  });

  it('takes an import back, and does not read any more that its rules were added', async () => {
    const counts = { added: 1, changed: 0, removed: 0 };
    const rules = (version: number) => ({ version, targetsChecked: true, data: [], nextCursor: null });
    now.set('/api/v1/mapping/rules', rules(1));
    changing = (request) => {
      const isSaved = request.url().includes('dryRun=false');
      const version = request.url().includes('/restore') ? 3 : isSaved ? 2 : 1;
      now.set('/api/v1/mapping/rules', rules(version));
      return { json: { checksum: 'c', version, saved: isSaved, counts, removedInUse: [], changes: [] } };
    };
    await at.open('mapping?tab=files');
    await at.page.locator('input[type=file]').setInputFiles(RULES_FILE);
    await at.press('Import');
    const imported = at.page.getByText('1 added, 0 changed, 0 removed.');
    await imported.waitFor();
    await at.undo('Saved as version 2');
    await imported.waitFor({ state: 'detached' });
  });

  it('cannot compare everything a second time before the first comparison has ended', async () => {
    const run = { id: 'r-1', reason: 'person', requestedAt: '2026-11-20T10:00:00Z', items: 0, discrepancies: 0 };
    const runs = (kind: string, state: string) => {
      now.set('/api/v1/reconciliation', { data: [{ ...run, kind, state }], nextCursor: null, alertAfterDays: 3 });
    };
    const compare = at.page.getByRole('button', { name: 'Compare now' });
    runs('period', 'completed');
    changing = () => {
      runs('period', 'requested');
      return { json: run };
    };
    await at.open('reconciliation');
    await compare.click();
    await at.see('A comparison is under way.');
    expect(await compare.isDisabled()).toBe(true);
    runs('job', 'running');
    await at.page.reload();
    await at.see('Running');
    expect(await compare.isEnabled()).toBe(true);
  });

  it('goes back from a dialog to its page, and finds none open there later', async () => {
    const dialog = at.page.getByRole('dialog');
    const isGone = () => dialog.waitFor({ state: 'detached' });
    await at.open('mapping?tab=versions');
    await at.page.getByRole('tab', { name: 'Accounts' }).click();
    await at.press('Add a rule');
    await dialog.waitFor();
    await at.page.goBack();
    await isGone();
    expect(await at.page.getByRole('tab', { name: 'Accounts' }).getAttribute('aria-selected')).toBe('true');
    await at.press('Add a rule');
    await dialog.getByLabel('On the platform').fill('6911');
    await at.page.reload();
    expect(await dialog.getByLabel('On the platform').inputValue()).toBe('6911');
    // Closing it leaves no second entry of the page behind.
    await at.press('Close');
    await isGone();
    await at.page.goBack();
    await at.page.getByRole('tab', { name: 'History', selected: true }).waitFor();
    await at.page.getByRole('tab', { name: 'Accounts' }).click();
    await at.page.getByRole('button', { name: 'Add a rule' }).waitFor();
    expect(await dialog.count()).toBe(0);
    await at.open('mapping?tab=account&dialog=rule');
    await dialog.waitFor();
    await at.press('Close');
    await isGone();
    expect(new URL(at.page.url()).search).toBe('?tab=account');
  });

  it('finds the name of a company to disconnect as it was typed, and may copy it with a blank', async () => {
    await at.open('setup?dialog=disconnect-company');
    const name = at.page.getByRole('dialog').getByRole('textbox');
    await name.fill('Saltholm Disain OÜ ');
    await at.page.reload();
    expect(await name.inputValue()).toBe('Saltholm Disain OÜ ');
    let asked = '';
    changing = (request) => {
      asked = new URL(request.url()).searchParams.get('companyName') ?? '';
      return { json: { platformNotified: true } };
    };
    await at.page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
    await at.see('The company is disconnected, and the platform knows it.');
    expect(asked).toBe('Saltholm Disain OÜ');
  });

  it('is asked for again while the page says so, also beside a stream that stays open', async () => {
    await at.page.addInitScript(OPEN_STREAM);
    let isLost = true;
    await at.page.route('**/api/v1/in-doubt-postings*', async (route) => {
      await (isLost ? route.abort('connectionreset') : route.fallback());
    });
    now.set('/api/v1/in-doubt-postings', { data: [POSTING], nextCursor: null });
    await at.open('reconciliation');
    await at.see('You see what was loaded last');
    await at.see('The connector cannot be reached.');
    isLost = false;
    await at.see('R-77');
    await at.page.getByText('You see what was loaded last').waitFor({ state: 'detached' });
  });
});
