// A person whose connection fails in the middle of saving: what they entered is kept, and trying again does nothing twice.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import type { Page, Route } from 'playwright-core';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

const SLOW_MS = 2_000;
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** @returns a workbook as spreadsheets write it, compressed: rules that lead accounts of the platform to 6440 */
function workbookOf(sources: readonly string[]): Buffer {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = [['subject', 'source', 'target'], ...sources.map((source) => ['account', source, '6440'])].map(
    ([subject = '', source = '', target = ''], index) => {
      const row = (index + 1).toString();
      return `<row r="${row}">${cell(`A${row}`, subject)}${cell(`B${row}`, source)}${cell(`C${row}`, target)}</row>`;
    },
  );
  const parts = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${WORKBOOK}"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="Rules" sheetId="1" r:id="r"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))));
}

(hasChromium ? describe : describe.skip)('a person whose connection fails while saving', () => {
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
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  /** The first request arrives, and its response is lost. */
  const losesFirst = async (path: string, of: (route: Route) => boolean = () => true) => {
    let isFirst = true;
    await page.route(path, async (route) => {
      if (!isFirst || !of(route)) {
        await route.continue();
        return;
      }
      isFirst = false;
      await route.fetch();
      await route.abort('connectionreset');
    });
  };

  it('saves a rule again, which has arrived, and it is saved once', async () => {
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('On the platform').fill('6901');
    await at.choose('In the accounting system', '6440');
    await losesFirst('**/mapping/rules/bulk');
    await at.press('Save');
    await dialog.getByText('what has arrived is not done twice').waitFor();
    expect(await dialog.getByLabel('On the platform').inputValue()).toBe('6901');
    await at.press('Save');
    await at.see('Saved as version');
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: '6901' });
    // The list is read again after the dialog has closed.
    await row.first().waitFor();
    expect(await row.count()).toBe(1);
  });

  it('imports a file again, whose plan still stands there, and it is imported once', async () => {
    await at.open('mapping?tab=files');
    await page.locator('input[type=file]').setInputFiles({
      name: 'rules.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('subject,source,target\r\naccount,6902,6440\r\naccount,6903,6440\r\n'),
    });
    await at.see('It would add 2');
    await losesFirst('**/mapping/rules/import?*', (route) => route.request().url().includes('dryRun=false'));
    await at.press('Import');
    await at.see('what has arrived is not done twice');
    await at.see('It would add 2');
    await at.press('Import');
    await at.see('2 added, 0 changed, 0 removed.');
  });

  it('saves a decision before the one that was just saved is read again', async () => {
    const read = Promise.withResolvers<undefined>();
    const save = async (title: string) => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
      await at.block(title).getByRole('button', { name: 'Looks right' }).click();
      return (await saved).status();
    };
    await at.open('setup');
    await at.press('Change: When something is unusual');
    await at.press('Change: Exchange differences and fees');
    await at.block('Exchange differences and fees').getByRole('button', { name: 'Looks right' }).waitFor();
    await page.route('**/api/v1/settings', async (route) => {
      await (route.request().method() === 'GET' ? read.promise : undefined);
      await route.continue();
    });
    expect(await save('When something is unusual')).toBe(200);
    await at.see('Saved');
    expect(await save('Exchange differences and fees')).toBe(200);
    read.resolve(undefined);
  });

  it('chooses a file before the API has said which rules there are', async () => {
    const known = Promise.withResolvers<undefined>();
    const asked = page.waitForRequest('**/mapping/rules?limit=1');
    await page.route('**/mapping/rules?limit=1', async (route) => {
      await known.promise;
      await route.continue();
    });
    await at.open('mapping?tab=files');
    await asked;
    await page.locator('input[type=file]').setInputFiles({
      name: 'rules.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('subject,source,target\r\naccount,6905,6440\r\n'),
    });
    await page.getByRole('button', { name: 'Choose a file to import' }).and(page.locator('[data-loading]')).waitFor();
    known.resolve(undefined);
    await at.see('It would add 1');
  });

  it('reads of a large workbook what it would change, and that these are the first', async () => {
    await at.open('mapping?tab=files');
    await page.locator('input[type=file]').setInputFiles({
      name: 'rules.xlsx',
      mimeType: 'application/octet-stream',
      buffer: workbookOf(Array.from({ length: 9_000 }, (_, index) => `A${index.toString()}`)),
    });
    await at.see('It would add 9,000');
    await at.see('The first 100 of 9,000 are shown.');
  });

  it('presses a button twice while the API responds slowly, and sends one request', async () => {
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    await page.getByRole('dialog').getByLabel('On the platform').fill('6904');
    await at.choose('In the accounting system', '6440');
    let requests = 0;
    await page.route('**/mapping/rules/bulk', async (route) => {
      requests += 1;
      await new Promise((done) => setTimeout(done, SLOW_MS));
      await route.continue();
    });
    // On a busy computer both come before the button is seen to be under way.
    await page.evaluate(`[1, 2].forEach((detail) => {
      const save = document.querySelector('[role=dialog] button[type=submit]');
      save.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, cancelable: true }));
    })`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(requests).toBe(1);
  });

  it('sees that something is being removed while the API responds slowly, and cannot ask for it twice', async () => {
    const answer = Promise.withResolvers<undefined>();
    await page.route('**/api/v1/{api-tokens,mapping/rules}/*', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await at.open('people?tab=tokens');
    await page.getByRole('textbox', { name: 'Label' }).fill('Payroll');
    await at.press('Create a token');
    const revoke = page.getByRole('button', { name: 'Revoke Payroll' });
    await revoke.click();
    await at.press('Now');
    await revoke.and(page.locator('[data-loading]:disabled')).waitFor();
    await page.getByRole('link', { name: 'Mapping', exact: true }).click();
    await page.getByRole('tab', { name: 'Accounts' }).click();
    const remove = page.getByRole('button', { name: 'Remove the rule for 6901' });
    await remove.click();
    await remove.and(page.locator('[data-loading]:disabled')).waitFor();
    // It would be sent with a version that is about to change.
    expect(await page.getByRole('button', { name: 'Remove the rule for 6902' }).isDisabled()).toBe(true);
    answer.resolve(undefined);
    await remove.waitFor({ state: 'detached' });
    await at.open('people?tab=tokens');
    await page.getByRole('button', { name: 'Create a token' }).waitFor();
    await revoke.waitFor({ state: 'detached' });
    expect(await page.getByText('That did not work').count()).toBe(0);
  });

  it('sees the role that is being given, whether it was, and can take that back', async () => {
    const path = '**/api/v1/members/*';
    const answer = Promise.withResolvers<undefined>();
    await at.open('people?tab=members');
    const role = page.getByRole('combobox', { name: 'Role of Ada Berg' });
    await page.route(path, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await role.selectOption('bookkeeper');
    await role.and(page.locator(':disabled')).waitFor();
    expect(await role.inputValue()).toBe('bookkeeper');
    answer.resolve(undefined);
    await at.see('the last admin has to make another member admin first');
    await role.and(page.locator(':enabled')).waitFor();
    expect(await role.inputValue()).toBe('admin');
    await page.unroute(path);
    const asked: unknown[] = [];
    await page.route(path, async (route) => {
      asked.push(route.request().postDataJSON());
      await route.fulfill({ status: 204 });
    });
    await role.selectOption('viewer');
    await at.undo('Role of Ada Berg: Viewer');
    await role.and(page.locator(':enabled')).waitFor();
    expect(asked).toEqual([{ role: 'viewer' }, { role: 'admin' }]);
  });

  it.each([
    ['When something is unusual', '**/api/v1/settings'],
    ['Accounting system', '**/api/v1/erp-connection'],
  ])('is not shown what a new company begins with where a response is lost: %s', async (decision, request) => {
    let isLost = true;
    await page.route(request, (route) => (isLost ? route.abort('connectionreset') : route.continue()));
    await at.open('setup');
    await at.press(`Change: ${decision}`);
    await at.see('Try again');
    isLost = false;
    // The page asks again by itself as well, once anything is answered.
    const again = page.getByRole('button', { name: 'Try again', exact: true }).first();
    await again.click({ timeout: 15_000 }).catch(() => undefined);
    await page.getByText('Try again').waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /^(Looks right|Connect)$/ })
      .first()
      .waitFor();
  });

  it('has logged no error meanwhile', () => {
    expect(at.problems).toEqual([]);
  });
});
