import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemPage } from '../../../foundation/http/problem.filter.js';
import type { ProblemOptions } from '../../../foundation/http/problem.js';
import { plainPage, type WayOn } from '../../../foundation/pages/plain-page.js';
import { message } from '../../../kernel/message.js';
import { localizeWayOn } from '../../messages/localized-way-on.js';
import { readerLanguage } from '../../messages/reader-language.js';
import { localize } from '../../messages/texts.js';

/** Below these, responses are for programs, whatever a browser accepts. */
const FOR_PROGRAMS = ['/api/', '/webhooks/'];
const FIRST_PAGE = { path: '/', words: message('way-on.first-page') };

export class BrowserProblemPage extends ProblemPage {
  override render(options: ProblemOptions, request: FastifyRequest, reply: FastifyReply): string | undefined {
    const { method, url, headers } = request;
    const isForPage = method === 'GET' && headers.accept?.includes('text/html') === true;
    if (!isForPage || FOR_PROGRAMS.some((path) => url.startsWith(path))) {
      return undefined;
    }
    const language = readerLanguage(request, reply);
    return problemPage(language, options, localizeWayOn(language, FIRST_PAGE));
  }
}

/**
 * @param language one of `LANGUAGES`, that of the problem
 * @param next where the person goes from it
 */
export function problemPage(language: string, { detail, errors = [] }: ProblemOptions, next: WayOn): string {
  const text = [detail, ...errors.map((error) => `${error.detail}.`)].join(' ');
  const title = localize(language, message('plain-page.failed')).text;
  return plainPage({ language, title, content: <p role="alert">{text}</p>, next });
}
