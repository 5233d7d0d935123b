// A bookkeeper and admin at what keeps both sides equal, in a real browser, with all programs behind it: what a comparison changed
// and waits to change, a vendor that resembles none, rules that do nothing. With SCREENSHOTS=<folder> it takes pictures.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { BookkeeperPage } from '../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

/** More than one page of records, and more than a fifth of the accounts. */
const ADDED = 60;
const PAGE = 50;
const LIST = `/companies/${demoCompany.ledgerId}`;

const runsSchema = z.object({
  data: z.array(z.object({ id: z.string(), state: z.string(), counts: z.object({ archived: z.number() }) })),
});
const vendorsSchema = z.object({ total: z.number() });
const matchesSchema = z.object({ data: z.array(z.object({ name: z.string() })) });

(hasChromium ? describe : describe.skip)('an admin at the reference data', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;

  const saveAccounts = (active: boolean) =>
    programs.clients.ledger.put(`${LIST}/accounts`, {
      json: {
        data: Array.from({ length: ADDED }, (_, index) => {
          const code = (7_001 + index).toString();
          return { code, externalId: `account-${code}`, name: `Project ${code}`, type: 'expense', active };
        }),
      },
    });
  const newestOf = async (kind: string) => {
    const path = `/api/v1/reference-data/runs?kind=${kind}&limit=1`;
    const { data } = await programs.clients.connector.read(path, runsSchema);
    return data[0];
  };
  /** Has the accounts compared, and opens the run that did. */
  const compare = async () => {
    const before = await newestOf('accounts');
    await at.open('reference-data');
    await at.press('Compare now');
    for (;;) {
      const run = await newestOf('accounts');
      if (run !== undefined && run.id !== before?.id && !['requested', 'running'].includes(run.state)) {
        await at.page.locator(`a[href$="/reference-data/${run.id}"]`).click();
        await at.see('Accounts, compared');
        return run;
      }
      await programs.clock.sleep(500);
    }
  };
  const records = () => at.page.getByRole('region', { name: 'Records' });
  const rows = () => records().locator('tbody tr');

  beforeAll(async () => {
    at = await BookkeeperPage.start(browser, programs.apiUrl);
    await at.signInToSetUp(programs.operator.url);
  });

  it('sees each record that a comparison has created, page by page and by what was done', async () => {
    await saveAccounts(true);
    await compare();
    await at.see('60 new');
    await rows().first().waitFor();
    expect(await rows().count()).toBe(PAGE);
    expect(await rows().first().textContent()).toContain('create');
    await at.looksGood('run');
    await at.press('Show more');
    await rows()
      .nth(ADDED - 1)
      .waitFor();
    await records().getByLabel('Change').selectOption('archive');
    await records().getByText('Nothing was found.').waitFor();
    expect(new URL(at.page.url()).search).toBe('?action=archive');
    expect(await at.overflowOnPhone('run', 'Nothing was found.')).toBe(0);
  });

  it('sees what a comparison waits to archive and why, and confirms that number', async () => {
    await saveAccounts(false);
    const waiting = await compare();
    expect(waiting).toMatchObject({ state: 'needs_confirmation', counts: { archived: 0 } });
    await at.see('no longer has 60 of the');
    await at.page.getByRole('link', { name: 'All comparisons' }).click();
    await at.see('It would archive 60 of');
    await at.page.goBack();
    await records().getByText('Project 7001').waitFor();
    expect(await rows().first().textContent()).toMatch(/archive.*Planned/);
    await at.looksGood('run-waiting');
    await at.page.getByRole('button', { name: /^Archive 60 of \d+$/ }).click();
    await at.page.waitForURL((url) => !url.pathname.endsWith(waiting.id));
    await at.see('60 archived');
    await rows().first().getByText('Done').waitFor();
    expect(await newestOf('accounts')).toMatchObject({ state: 'completed', counts: { archived: ADDED } });
    await at.open(`reference-data/${waiting.id}`);
    await at.see('what waited here is out of date');
    expect(await at.page.getByRole('button', { name: /^Archive/ }).count()).toBe(0);
  });

  it('gets from a rule that changes nothing to the rule', async () => {
    await at.open('mapping?tab=findings');
    await at.see('Every rule does what it says.');
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    await at.page.getByRole('dialog').getByLabel('On the platform').fill('6110');
    await at.choose('In the accounting system', '6110');
    await at.press('Save');
    await at.see('Saved as version');
    await at.page.getByRole('tab', { name: 'Findings' }).click();
    await at.see('Changes nothing');
    await at.see('without the rule it would be found as well');
    await at.looksGood('mapping-findings');
    await at.page.getByRole('link', { name: '6110 → 6110' }).click();
    await at.page.waitForURL('**tab=account**');
    expect(await at.page.getByRole('searchbox').inputValue()).toBe('6110');
    await at.press('Remove the rule for 6110');
    await at.see('No rules');
  });

  it('keeps the conditions of a rule that is changed, and shows beside the field what is wrong with them', async () => {
    const dialog = at.page.getByRole('dialog');
    await at.open('mapping?tab=account');
    await at.press('Add a rule');
    await dialog.getByLabel('On the platform').fill('6420');
    await dialog.getByLabel('Only for').selectOption('card purchase');
    await dialog.getByLabel('and only with a tag of group').fill('CC');
    await dialog.getByRole('textbox', { name: 'Tag', exact: true }).fill('1\u200b');
    await at.choose('In the accounting system', '6440');
    await at.press('Save');
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await at.looksGood('rule-refused');
    await dialog.getByRole('textbox', { name: 'Tag', exact: true }).fill('100');
    await at.press('Save');
    const row = at.page.getByRole('row').filter({ hasText: 'card purchase, CC 100' });
    await row.getByText('6440').waitFor();
    await at.press('Change the rule for 6420');
    await at.choose('In the accounting system', '6430');
    await at.press('Save');
    await row.getByText('6430').waitFor();
  });

  it('links a vendor with one that does not resemble it; a number that is refused is shown beside the field', async () => {
    const { ledger, simulator, connector } = programs.clients;
    const name = 'Balti Disainimess';
    await simulator.post(`/control/companies/${demoCompany.id}/draft-vendors`, {
      ...{ name, code: 'V-00007', defaultCurrency: 'EUR' },
    });
    const vendor = { number: 'V-00099', externalId: 'vendor-00099', name: 'Messikeskus OÜ' };
    await ledger.put(`${LIST}/vendors`, { json: { data: [{ ...vendor, country: 'EE', defaultCurrency: 'EUR' }] } });
    // What the accounting system has said within the last minute is not asked again.
    while ((await connector.read('/api/v1/erp/vendors?search=V-00099', vendorsSchema)).total === 0) {
      await programs.clock.sleep(2_000);
    }
    await at.open('mapping?tab=vendors');
    await at.press(`Link ${name} with another vendor`);
    const dialog = at.page.getByRole('dialog');
    await at.choose('Vendor in the accounting system', 'Messikeskus');
    await at.looksGood('vendor-link');
    await at.page.route('**/decision', async (route) => {
      await route.continue({ postData: { decision: 'link', erpVendorNumber: 'V-00098' } });
    });
    const link = dialog.getByRole('button', { name: 'Link', exact: true });
    await link.click();
    const field = dialog.getByLabel('Vendor in the accounting system').and(at.page.locator('input'));
    await at.page.locator('[aria-invalid="true"]').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await at.looksGood('vendor-refused');
    await at.page.unroute('**/decision');
    await link.click();
    await at.see(`${name} is linked with V-00099.`);
    await at.see('Every vendor is matched.');
    const path = '/api/v1/reference-data/vendor-matches';
    expect((await connector.read(path, matchesSchema)).data).toEqual([]);
  });

  it('has logged no error meanwhile', () => {
    expect(at.problems).toEqual([]);
  });
});
