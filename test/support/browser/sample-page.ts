// The sample company without any program: files of the built page, and answers that a test may change.
import { readFile } from 'node:fs/promises';
import type { BookkeeperPage } from './bookkeeper-page.js';

/** Of this name a browser thinks as of an encrypted one; nothing listens there. */
export const SAMPLE_ORIGIN = 'http://localhost:1';

export type SampleAnswers = Record<string, { data?: Record<string, unknown>[] }>;

interface Serving {
  /** Of each path that the page asks for. */
  readonly onAsked?: (path: string) => void;
  readonly change?: (answers: SampleAnswers) => SampleAnswers | Promise<SampleAnswers>;
}

export async function serveSample(at: BookkeeperPage, { onAsked, change }: Serving): Promise<void> {
  await at.page.route(`${SAMPLE_ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    onAsked?.(pathname);
    if (/answers-.*\.json$/.test(pathname)) {
      const answers = JSON.parse(await readFile('web/sample/answers.json', 'utf8')) as SampleAnswers;
      await route.fulfill({ json: (await change?.(answers)) ?? answers });
    } else if (pathname.startsWith('/app/assets/')) {
      await route.fulfill({ path: `web/dist${pathname.slice('/app'.length)}` });
    } else {
      const body = await readFile('web/dist/index.html', 'utf8');
      await route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
    }
  });
}
