import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../wire/api-error.js';
import { PageSession, type Visitor } from './page-session.js';

/** The course of every request of the page: act, then show the page again, with a notice when the act was refused. */
@Injectable()
export class PageActions {
  constructor(private readonly pageSession: PageSession) {}

  /** Acts and leads back; a refusal becomes the notice of the page. @throws every error but an ApiError */
  async perform(reply: FastifyReply, back: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      await reply.redirect(`${back}?notice=${encodeURIComponent(error.message)}`, 303);
      return;
    }
    await reply.redirect(back, 303);
  }

  /** As `perform`, for the person who is signed in; without one it leads to the sign-in. */
  async performAsVisitor(
    request: FastifyRequest,
    reply: FastifyReply,
    back: string,
    act: (visitor: Visitor) => Promise<unknown>,
  ): Promise<void> {
    const visitor = await this.pageSession.visitor(request);
    if (visitor === undefined) {
      await reply.redirect('/', 303);
      return;
    }
    await this.perform(reply, back, () => act(visitor));
  }

  /** Shows a page to the person who is signed in; without one it leads to the sign-in. */
  async show(
    request: FastifyRequest,
    reply: FastifyReply,
    page: (visitor: Visitor, notice: string | undefined) => Promise<string>,
  ): Promise<string> {
    const visitor = await this.pageSession.visitor(request);
    if (visitor === undefined) {
      void reply.redirect('/', 303);
      return '';
    }
    return page(visitor, noticeOf(request));
  }
}

/** Why the form that was just sent was refused, as the redirect says. */
export function noticeOf(request: FastifyRequest): string | undefined {
  return new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('notice') ?? undefined;
}
