import type { FastifyRequest } from 'fastify';
import { ProblemPage } from '../../../foundation/http/problem.filter.js';
import type { ProblemOptions } from '../../../foundation/http/problem.js';
import { plainPage, type WayOn } from '../../../foundation/pages/plain-page.js';

/** Below these, responses are for programs, whatever a browser accepts. */
const FOR_PROGRAMS = ['/api/', '/webhooks/'];

/** In English, as all pages that need no script. */
export class BrowserProblemPage extends ProblemPage {
  override render(options: ProblemOptions, { method, url, headers }: FastifyRequest): string | undefined {
    const isForPage = method === 'GET' && headers.accept?.includes('text/html') === true;
    return isForPage && !FOR_PROGRAMS.some((path) => url.startsWith(path))
      ? problemPage(options, { path: '/', words: 'To the first page' })
      : undefined;
  }
}

/** @param next where the person goes from it */
export function problemPage({ detail, errors = [] }: ProblemOptions, next: WayOn): string {
  const text = [detail, ...errors.map((error) => `${error.detail}.`)].join(' ');
  return plainPage({ title: 'That did not work', content: <p role="alert">{text}</p>, next });
}
