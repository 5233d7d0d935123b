import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Database } from '../../../foundation/database/database.js';
import { EndInstallation } from '../installations/end-installation.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { ApiError } from '../wire/api-error.js';
import { resourceUrn } from '../wire/resource-urn.js';
import { PageSession, type Visitor } from './page-session.js';

/** What every form of the page does: act, then show the page again, with a notice when the act was refused. */
@Injectable()
export class PageActions {
  constructor(
    private readonly pageSession: PageSession,
    private readonly installationRepository: InstallationRepository,
    private readonly endInstallation: EndInstallation,
    private readonly database: Database,
  ) {}

  /** Runs an act and leads back; a refusal becomes the notice of the page. */
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

  /** As `run`, for whoever is signed in; when nobody is, it leads to the sign-in. */
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

  noticeOf(request: FastifyRequest): string | undefined {
    return new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('notice') ?? undefined;
  }

  async disconnect(companyId: string): Promise<void> {
    for (const installation of await this.ofResource(companyId)) {
      await this.endInstallation.endInstallation(installation);
    }
  }

  async revoke(companyId: string): Promise<void> {
    for (const installation of await this.ofResource(companyId)) {
      await this.endInstallation.revokeTokens(installation);
    }
  }

  private async ofResource(companyId: string) {
    return this.database.inTransaction('find installations', (tx) =>
      this.installationRepository.findByResource(tx, resourceUrn('company', companyId)),
    );
  }
}
