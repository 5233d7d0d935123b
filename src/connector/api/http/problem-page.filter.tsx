import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { plainPage, type WayOn } from '../../../foundation/pages/plain-page.js';
import { problemPage } from './problem-page.js';

/** Responds to problems with a page, as the API does with problem+json. */
@Catch(Problem)
export class ProblemPageFilter implements ExceptionFilter<Problem> {
  /** @param back of the page for people: where the person came from */
  constructor(private readonly back: WayOn) {}

  catch({ options }: Problem, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply
      .status(options.status)
      .headers({ ...options.headers, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(options.status === 401 ? signInPage(this.back) : problemPage(options, this.back));
  }
}

function signInPage({ path }: WayOn): string {
  return plainPage({
    title: 'Please sign in',
    content: <p role="alert">Your session has ended. Nothing was changed.</p>,
    next: { path: `/app/sign-in?${new URLSearchParams({ to: path }).toString()}`, words: 'Sign in' },
  });
}
