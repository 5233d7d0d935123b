// The sample company without any program: files of the built page, and answers that a test may change.
import { readFile } from 'node:fs/promises';
import type { Request } from 'playwright-core';
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

/** What a request that would change something gets; undefined: its response is lost. */
export type Changing = (request: Request) => { readonly status?: number; readonly json: unknown } | undefined;

/**
 * The page as a member has it, over the answers of the sample company.
 * @param now what other answers there are, by path; may change
 */
export async function serveApi(at: BookkeeperPage, now: ReadonlyMap<string, unknown>, changing: Changing) {
  const recorded = JSON.parse(await readFile('web/sample/answers.json', 'utf8')) as Record<string, unknown>;
  await serveSample(at, {});
  await at.page.route(`${SAMPLE_ORIGIN}/api/v1/**`, async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    // Answers are recorded with their queries in the order of the alphabet.
    searchParams.sort();
    if (pathname.endsWith('/events')) {
      await route.fulfill({ contentType: 'text/event-stream', body: ': there\n\n' });
    } else if (request.method() === 'GET') {
      const answer = now.get(pathname) ?? recorded[`${pathname}?${searchParams.toString()}`] ?? recorded[pathname];
      await route.fulfill(answer === undefined ? { status: 404, json: { status: 404 } } : { json: answer });
    } else {
      const answer = changing(request);
      await (answer === undefined ? route.abort('connectionreset') : route.fulfill(answer));
    }
  });
}
