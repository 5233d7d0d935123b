// The page of operators in a real browser, at the API process alone: it needs no other program.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BookkeeperPage } from '../../../support/browser/bookkeeper-page.js';
import { hasChromium, launchChromium, needsChromium, NO_CHROMIUM } from '../../../support/browser/chromium.js';
import { OPERATOR_TOKEN, storeInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';

/** More than the browser waits for one thing, so that it says what did not come. */
const SLOW_MS = 90_000;

describe('the browser of this test', () => {
  it('is available wherever the result counts', () => {
    expect(needsChromium && !hasChromium ? NO_CHROMIUM : 'there').toBe('there');
  });
});

(hasChromium ? describe : describe.skip)('an operator at the page', () => {
  const harness = startedOnce(() => ConnectHarness.start());
  const browser = startedOnce(launchChromium);
  let at: BookkeeperPage;
  let page: Page;
  let url: string;
  let id: string;

  beforeAll(async () => {
    id = (await storeInstallation(harness.connector, 'Öresund Form AB')).id;
    await storeInstallation(harness.connector, 'Saltholm Disain OÜ');
    await harness.admin.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at)
       SELECT id, gen_random_uuid(), platform_company_id, 'detected', 7, false, now(), now() + interval '9 minutes', now(),
         now() + interval '5 minutes' FROM installation WHERE id = $1`,
      [id],
    );
    await harness.admin.query(
      `INSERT INTO failed_task VALUES ($1, gen_random_uuid(), 'detect-export-jobs', $2, now(), 1, 'Error: no')`,
      [id, JSON.stringify({ installationId: id })],
    );
    await harness.admin.query(
      `INSERT INTO worker_process (id, host, pid, started_at, last_beat_at, running) VALUES ($1, 'one', 7, now(), now() + interval '10 minutes', 1)`,
      [randomUUID()],
    );
    await harness.connector.app.listen(0, '127.0.0.1');
    url = await harness.connector.app.getUrl();
    at = await BookkeeperPage.start(browser, url);
    page = at.page;
  }, SLOW_MS);
  const isPaused = async () => {
    const { rows } = await harness.admin.query<{ paused: boolean }>(
      `SELECT paused_at IS NOT NULL AS paused FROM installation WHERE id = $1`,
      [id],
    );
    return rows[0]?.paused;
  };
  const barriersInBothSchemes = async () => {
    const light = await at.barriers();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await at.barriers();
    await page.emulateMedia({ colorScheme: 'light' });
    return [...light, ...dark];
  };

  it(
    'signs in with a token, at the requested address',
    async () => {
      await page.goto(`${url}/operator/?search=form`);
      await page.getByLabel('Operator token').fill('not a token');
      await at.press('Sign in');
      await at.see('That did not work');
      expect(await barriersInBothSchemes()).toEqual([]);
      await page.getByLabel('Operator token').fill(OPERATOR_TOKEN);
      await at.press('Sign in');
      await at.see('Öresund Form AB');
      expect(await page.getByText('Saltholm Disain OÜ').count()).toBe(0);
    },
    SLOW_MS,
  );

  it(
    'finds the customers that need an operator, pauses one with a reason, and resumes it',
    async () => {
      await page.goto(`${url}/operator`);
      await at.see('Saltholm Disain OÜ');
      await at.look('operator-customers');
      await page.getByLabel('What they need').selectOption('near-expiry');
      await page.getByText('Saltholm Disain OÜ').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Öresund Form AB' }).click();
      await page.getByLabel('Reason').fill('Your accounting system is being moved.');
      await at.press('Pause exports');
      await at.see('by operator');
      expect(await isPaused()).toBe(true);
      await at.look('operator-customer');
      expect(await barriersInBothSchemes()).toEqual([]);
      expect(await at.overflowOnPhone('operator-customer', 'Resume exports')).toBe(0);
      await at.press('Resume exports');
      await page.getByRole('button', { name: 'Pause exports' }).waitFor();
      expect(await isPaused()).toBe(false);
    },
    SLOW_MS,
  );

  it(
    'retries the customer’s export and replays its dead letter',
    async () => {
      await page.goto(`${url}/operator/customers/${id}`);
      await at.press('Retry now');
      await at.see('A worker takes the export now.');
      await page.getByRole('row').filter({ hasText: 'detect-export-jobs' }).getByRole('button').click();
      await at.see('It was sent again.');
      const { rows } = await harness.admin.query(
        `SELECT action FROM operator_action WHERE installation_id = $1 AND action LIKE '%-re%' ORDER BY action`,
        [id],
      );
      expect(rows).toEqual([{ action: 'job-retried' }, { action: 'task-replayed' }]);
    },
    SLOW_MS,
  );

  it(
    'makes a code for a first admin, which is shown once, and revokes it',
    async () => {
      await page.goto(`${url}/operator/customers/${id}`);
      const codes = page.getByRole('region', { name: 'First admin' });
      await codes.getByText('No code can be used.').waitFor();
      await codes.getByRole('button', { name: 'Create a code' }).click();
      const shown = await codes.getByRole('alert').locator('code').textContent();
      expect(shown).toMatch(/\S{8,}/);
      await codes.getByRole('row').nth(1).waitFor();
      expect(await barriersInBothSchemes()).toEqual([]);
      await page.reload();
      await codes.getByRole('row').nth(1).waitFor();
      expect(await codes.textContent()).not.toContain(shown ?? '');
      await codes.getByRole('button', { name: /^Revoke/ }).click();
      await codes.getByText('No code can be used.').waitFor();
      const admin = randomUUID();
      await harness.admin.query(
        `INSERT INTO member (id, installation_id, subject, role, created_at, signed_in_at) VALUES ($1, $2, 'ada', 'admin', now(), now())`,
        [admin, id],
      );
      await page.reload();
      await page.getByRole('region', { name: 'Stored data' }).waitFor();
      expect(await codes.count()).toBe(0);
      await harness.admin.query(`UPDATE member SET removed_at = now() WHERE id = $1`, [admin]);
      await page.reload();
      await codes.getByText('No code can be used.').waitFor();
    },
    SLOW_MS,
  );

  it(
    'takes everything that is stored of a customer as a file',
    async () => {
      await page.goto(`${url}/operator/customers/${id}`);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download everything that is stored' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('Öresund Form AB.json');
      expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toBeInstanceOf(Object);
    },
    SLOW_MS,
  );

  it(
    'connects a company by API key, and keeps what was typed where the key is refused',
    async () => {
      const company = harness.platform.addCompany();
      const key = harness.platform.addApiKey(companyUrn(company.id), 'bearer');
      await page.goto(`${url}/operator`);
      await at.press('Connect a company by API key');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('API key of the platform').fill('an:impossible key');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await dialog.getByText('visible characters only').waitFor();
      expect(await dialog.getByLabel('API key of the platform').inputValue()).toBe('an:impossible key');
      expect(await barriersInBothSchemes()).toEqual([]);
      await dialog.getByLabel('API key of the platform').fill(key);
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await page.waitForURL('**/operator/customers/*');
      await at.see('Next it needs a first admin.');
    },
    SLOW_MS,
  );

  it.each([
    ['', 'Öresund Form AB'],
    ['dead-letters', 'Dead letters'],
    ['workers', 'Working'],
    ['keys', 'sealed with the first key of the configuration'],
  ])(
    'has no accessibility violation at "%s" in either color scheme, and fits on a phone',
    async (path, text) => {
      await page.goto(`${url}/operator/${path}`);
      await at.see(text);
      expect(await barriersInBothSchemes()).toEqual([]);
      expect(await at.overflowOnPhone(`operator-${path}`, text)).toBe(0);
    },
    SLOW_MS,
  );

  it(
    'drains a worker, reads German, and signs out',
    async () => {
      await page.goto(`${url}/operator/workers`);
      await at.press('Drain');
      await at.press('Now');
      await at.see('Draining');
      await page.getByLabel('Language').selectOption('de');
      await at.see('Läuft leer');
      await at.press('Abmelden');
      await page.getByLabel('Operator-Token').waitFor();
      expect(at.problems).toEqual([]);
    },
    SLOW_MS,
  );
});
