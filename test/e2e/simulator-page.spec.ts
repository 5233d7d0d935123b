// A bookkeeper at the simulator's page, in a real browser, with the real connector behind it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasChromium, launchChromium, needsChromium, NO_CHROMIUM } from '../support/browser/chromium.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

const { SCREENSHOT } = process.env;
if (!hasChromium) {
  process.stderr.write(`\nNOT TESTED: the simulator's page in a browser. ${NO_CHROMIUM}\n\n`);
}

describe('the browser of this test', () => {
  // A skipped test must not pass for a good one where a change is judged.
  it('is available wherever the result counts', () => {
    expect(needsChromium && !hasChromium ? NO_CHROMIUM : 'there').toBe('there');
  });
});

(hasChromium ? describe : describe.skip)('a bookkeeper in a browser', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const browser = startedOnce(launchChromium);
  let page: Page;
  let platformUrl: string;
  const problems: string[] = [];

  beforeAll(async () => {
    // Where people reach the platform: its page takes forms at this address only.
    platformUrl = programs.connectorEnvironment['PLATFORM_AUTH_URL'] ?? '';
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && message.location().url.startsWith(platformUrl)) {
        problems.push(message.text());
      }
    });
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
  /** The newest export, as the page shows it. */
  const newest = () => page.locator('section[data-job]').first();
  const section = (heading: string) => page.locator('section').filter({ hasText: heading });

  it('signs in as a person of the company', async () => {
    await page.goto(platformUrl);
    await page.getByLabel('Person').selectOption({ label: 'Maarja Kask' });
    await press('Sign in');
    await page.getByText('Maarja Kask, Saltholm Disain OÜ').waitFor();
    expect(await section('Connected application').textContent()).toContain('Activated');
    expect(await section('Export queue').textContent()).toContain('147 waiting');
  });

  it('creates an expense, which waits in the queue', async () => {
    await page.getByLabel('Supplier').fill('Kohvik Sõber');
    await page.getByLabel('Amount').fill('18.40');
    await page.getByLabel('Account code').fill('6410');
    await page.getByLabel('Note').fill('coffee for the workshop');
    await press('Create');
    await page.getByText('148 waiting').waitFor();
    await page.getByText('138 more').click();
    const row = page.locator('tr').filter({ hasText: 'Kohvik Sõber – coffee for the workshop' });
    expect(await row.textContent()).toContain('18.40 EUR');
  });

  it('presses Export and watches the clock of the job', async () => {
    await page.getByLabel('vendor-based bookkeeping').check();
    await press('Export');
    const job = newest();
    expect(await job.textContent()).toContain('started by Maarja Kask');
    // The connector waits for a lease longer than a page takes to load, so the job still runs.
    const clock = job.locator('.clock');
    // The page's script puts it in the place of the time that the job ends at.
    await clock.filter({ hasText: ':' }).filter({ hasNotText: 'T' }).waitFor();
    expect(await clock.textContent()).toMatch(/^(59:\d\d|60:00)$/);
  });

  it('sees how each item ended, with the reasons', async () => {
    // The page loads itself anew while the job runs.
    await page.getByText('Exported with errors').waitFor({ timeout: 60_000 });
    const text = (await newest().textContent()) ?? '';
    expect(text).toMatch(/5 failed, 143 exported/);
    expect(text).toContain('Account unknown');
    expect(text).toContain('Vendor unknown');
    expect(text).toContain('6475');
    await page.getByText('143 exported', { exact: true }).click();
    const exported = newest().locator('tr.successful').filter({ hasText: 'Kohvik Sõber' });
    expect(await exported.locator('a').getAttribute('href')).toMatch(/^http/);
    await page.getByText('143 exported', { exact: true }).click();
    await page.evaluate('scrollTo(0, 0)');
    if (SCREENSHOT !== undefined) {
      await page.screenshot({ path: SCREENSHOT, fullPage: true });
    }
  });

  it('looks at the notification that the application received', async () => {
    await open('Webhooks');
    const row = page.locator('tr').filter({ hasText: 'v1.export-job.created' }).first();
    expect(await row.textContent()).toMatch(/Delivered[\s\S]*→ 2\d\d/);
    await press('Resend');
    await page.getByText('(by hand)').first().waitFor();
  });

  it('switches a failure on, meets it, and switches it off', async () => {
    await open('Failures and clock');
    await page.getByLabel('Path').fill('/v1/introspect');
    await page.getByLabel('Status').fill('503');
    await press('Add');
    const row = page.locator('tr').filter({ hasText: '/v1/introspect' });
    await row.waitFor();
    expect((await fetch(`${platformUrl}/v1/introspect`)).status).toBe(503);
    await page.reload();
    expect(await row.locator('td').nth(5).textContent()).toBe('1');
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await fetch(`${platformUrl}/v1/introspect`)).status).toBe(401);
  });

  it('moves the clock, and the job of an export expires', async () => {
    await open('Exports');
    await press('Disconnect');
    await page.getByText('None: no application would receive an export.').waitFor();
    await press('Export');
    await newest().locator('.clock').waitFor();
    await open('Failures and clock');
    await press('An hour later');
    await open('Exports');
    const text = (await newest().textContent()) ?? '';
    expect(text).toContain('Job expired');
    expect(text).toContain('5 not exported');
  });

  it('connects the application again', async () => {
    await open('Connect the application');
    await page.getByRole('heading', { name: /^Connect / }).waitFor();
    await page.getByLabel('Saltholm Disain OÜ').check();
    await press('Approve');
    await page.getByRole('heading', { name: /connected/i }).waitFor();
    await page.goto(platformUrl);
    const connected = section('Connected application').getByText(/Authorized|Activated/);
    await connected.waitFor();
  });

  it('signs out', async () => {
    await press('Sign out');
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
