import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { SIGN_IN_AGAIN } from '../http/recent-sign-in.js';
import { messagePage, SETTINGS_PATH } from './settings-layout.js';

/** Responds to problems with a page, as the API does with problem+json. */
@Catch(Problem)
export class SettingsPageFilter implements ExceptionFilter<Problem> {
  catch({ options }: Problem, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply
      .status(options.status)
      .headers({ ...options.headers, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(pageOf(options));
  }
}

function pageOf(options: Problem['options']): string {
  if (options.status === 401) {
    return messagePage('Please sign in', 'Your session has ended. Nothing was changed.', 'Sign in');
  }
  return options.type === SIGN_IN_AGAIN
    ? messagePage('Please sign in again', options.detail, 'Sign in again', `${SETTINGS_PATH}/sign-in`)
    : messagePage('That did not work', textOf(options), 'Back to the settings');
}

function textOf({ detail, errors = [] }: Problem['options']): string {
  return [detail, ...errors.map((error) => `${error.detail}.`)].join(' ');
}
