import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { plainPage } from '../../../foundation/pages/plain-page.js';
import { message, type Message } from '../../../kernel/message.js';
import { localizeOptions } from '../../messages/localized-problems.js';
import { localizeWayOn, type NextPage } from '../../messages/localized-way-on.js';
import { readerLanguage } from '../../messages/reader-language.js';
import { localize } from '../../messages/texts.js';
import { problemPage } from './problem-page.js';

/** Responds to problems with a page, as the API does with problem+json. */
@Catch(Problem)
export class ProblemPageFilter implements ExceptionFilter<Problem> {
  /** @param back of the page for people: where the person came from */
  constructor(private readonly back: NextPage) {}

  catch({ options }: Problem, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const language = readerLanguage(http.getRequest<FastifyRequest>(), reply);
    const page =
      options.status === 401
        ? signInPage(language, this.back.path)
        : problemPage(language, localizeOptions(language, options), localizeWayOn(language, this.back));
    void reply
      .status(options.status)
      .headers({ ...options.headers, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page);
  }
}

/** @param path to which the sign-in leads */
function signInPage(language: string, path: string): string {
  const say = (said: Message) => localize(language, said).text;
  return plainPage({
    language,
    title: say(message('plain-page.session-ended')),
    content: <p role="alert">{say(message('plain-page.session-ended.text'))}</p>,
    next: {
      path: `/app/sign-in?${new URLSearchParams({ to: path }).toString()}`,
      words: say(message('way-on.sign-in')),
    },
  });
}
