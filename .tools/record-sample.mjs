// Records what the demo answers to the page, for the sample company: node .tools/record-sample.mjs <url of the connector>
// The demo runs (npm start); its second export has been resolved or not, as it is wanted in the sample.
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [url = 'http://localhost:3000'] = process.argv.slice(2);
/** Of a kind of page; lists name more than are worth their bytes. */
const MAX_OF_A_KIND = 30;
const TABS = {
  mapping: ['account', 'tax-code', 'tag', 'findings', 'unmapped', 'vendors', 'files', 'versions'],
  'reference-data': ['runs', 'categories', 'tax-codes', 'tags', 'vendors', 'rates'],
  people: ['sessions', 'members', 'tokens', 'alerts'],
};
const BEGIN = [
  ...['', 'exports', 'entries', 'issues', 'issues?state=closed', 'month-end', 'reconciliation', 'certificates'],
  ...['setup', 'audit', 'clients'],
  // Paid in dollars: test/e2e/page-sample.spec.ts opens it, and lists begin with any hundred entries of an export.
  'entries/5a170000-0009-4000-8000-000000000006',
  ...Object.entries(TABS).flatMap(([page, tabs]) => tabs.map((tab) => `${page}?tab=${tab}`)),
];

const answers = {};
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ locale: 'en-GB' });
const reading = new Set();
page.on('response', (response) => {
  const { pathname, searchParams } = new URL(response.url());
  searchParams.sort();
  const isAnswer = response.ok() && response.request().method() === 'GET' && pathname.startsWith('/api/v1/');
  if (isAnswer && response.headers()['content-type']?.startsWith('application/json')) {
    const keep = (body) => {
      answers[searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`] = body;
    };
    // Of a page that was left meanwhile there is no body any more.
    const read = response.json().then(keep, () => undefined);
    reading.add(read);
  }
});
await page.goto(`${url}/app`);
await page.getByRole('link', { name: 'Sign in' }).click();
await page.getByRole('button', { name: 'Approve' }).click();
await page.getByRole('heading', { name: 'Home' }).waitFor();

const seen = new Set();
const counts = {};
const waiting = [...BEGIN];
while (waiting.length > 0) {
  const path = waiting.shift();
  const kind = path.split('/')[0];
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (seen.has(path) || (path.includes('/') && counts[kind] > MAX_OF_A_KIND)) {
    continue;
  }
  seen.add(path);
  await page.goto(`${url}/app/${path}`);
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  if (path === 'setup') {
    await page.getByRole('button', { name: 'Show what the platform has sent' }).click();
  }
  await page.waitForTimeout(700);
  await Promise.all(reading);
  const links = await page
    .locator('main a[href^="/app/"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  for (const link of links) {
    const found = link.slice('/app/'.length);
    waiting.push(found, ...(found.startsWith('exports/') ? [`${found}?state=all`, `${found}?state=successful`] : []));
  }
}
await Promise.all(reading);
await browser.close();
answers['/api/v1/me'].csrfToken = null;
writeFileSync('web/sample/answers.json', `${JSON.stringify(Object.fromEntries(Object.entries(answers).sort()))}\n`);
console.log(`${Object.keys(answers).length} answers of ${seen.size} pages`);
