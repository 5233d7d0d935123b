// A person at the connector's own page: what tests do there, in words. With SCREENSHOTS=<folder> it takes pictures, too.
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core';

const { SCREENSHOTS } = process.env;
// What is waited for depends on other programs, on a machine that does other things besides.
const WAIT_MS = 60_000;
export const WIDE = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

export class BookkeeperPage {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    /** What the page has thrown or logged as an error. */
    readonly problems: readonly string[],
    private readonly url: string,
    private readonly axe: string,
  ) {}

  /** @param url of the API, past a proxy, which would hold back a stream until it ends */
  static async start(browser: Browser, url: string): Promise<BookkeeperPage> {
    const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
    const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      // A refusal of the API is shown on the page; the browser logs it besides.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        problems.push(message.text());
      }
    });
    return new BookkeeperPage(context, page, problems, url, axe);
  }

  async open(path: string): Promise<Response | null> {
    return this.page.goto(`${this.url}/app/${path}`);
  }

  /** A person whose company is connected signs in, and gets to the set-up. @param publicUrl of the connector */
  async signInToSetUp(publicUrl: string): Promise<void> {
    await this.page.goto(`${publicUrl}/app/sign-in?to=${encodeURIComponent('/app/setup')}`);
    await this.press('Approve');
    await this.see('Ready to export');
  }

  async see(text: string): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  /** Waits until so many issues are shown. */
  async expectCards(count: number): Promise<void> {
    const cards = this.page.getByRole('article');
    await cards.nth(count - 1).waitFor();
    await cards.nth(count).waitFor({ state: 'detached' });
  }

  /** A decision of the set-up. */
  block(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }

  async looksRight(title: string): Promise<void> {
    await this.block(title).getByRole('button', { name: 'Looks right' }).click();
    await this.block(title).getByText('Done').waitFor();
  }

  /** Types a part of it, as people do, and takes the first that is found. */
  async choose(label: string, part: string): Promise<void> {
    const field = this.page
      .getByRole('combobox', { name: label })
      .or(this.page.getByRole('textbox', { name: label }))
      .first();
    await field.fill(part);
    await this.page.getByRole('option', { name: part }).first().waitFor();
    await field.press('Enter');
  }

  /** Takes back what a notice reports. */
  async undo(text: string): Promise<void> {
    const notice = this.page.getByRole('alert').filter({ hasText: text });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await notice.waitFor({ state: 'detached' });
  }

  /** Waits until nothing is on its way to another place or color. */
  async settle(): Promise<void> {
    const painted = 'await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    const still = `document.getAnimations().every(({ playState }) => playState === 'finished')`;
    // Twice: what inherits a color that has just changed begins its own change when the other has ended.
    await this.page.waitForFunction(`(async () => {
      ${painted}; const was = ${still}; ${painted}; return was && ${still};
    })()`);
  }

  /** What axe finds, in short. */
  async barriers(): Promise<readonly string[]> {
    await this.settle();
    if (!(await this.page.evaluate<boolean>(`'axe' in window`))) {
      await this.page.evaluate(this.axe);
    }
    const found = await this.page.evaluate<{ readonly violations: readonly Violation[] }>('axe.run()');
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
    );
  }

  /** As a reader has it whose system is light or dark. */
  async inColors(colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    await this.page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  }

  /** Axe and a picture, light and dark. @throws Error with what axe finds */
  async looksGood(name: string, shown?: Locator): Promise<void> {
    await shown?.scrollIntoViewIfNeeded();
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.inColors(colorScheme);
      const barriers = await this.barriers();
      if (barriers.length > 0) {
        throw new Error(`${name}, ${colorScheme}: ${barriers.join('\n')}`);
      }
      await this.look(`${name}-${colorScheme}`);
    }
    await this.inColors('light');
  }

  /**
   * @param text what stands on the page when its data has come
   * @returns by how many pixels the page is wider than a phone
   */
  async overflowOnPhone(name: string, text: string): Promise<number> {
    await this.page.setViewportSize(PHONE);
    await this.page.reload();
    await this.page.getByText(text).first().waitFor({ state: 'attached' });
    await this.settle();
    const overflow = await this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    await this.look(`${name}-390`);
    await this.page.setViewportSize(WIDE);
    return overflow;
  }

  async look(name: string): Promise<void> {
    if (SCREENSHOTS !== undefined) {
      await this.page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, animations: 'disabled' });
    }
  }
}
