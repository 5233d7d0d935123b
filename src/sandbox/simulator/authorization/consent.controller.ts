import { Body, Controller, Get, Header, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { WithoutCredential } from '../access/access-rules.js';
import { SimulatorConfig } from '../simulator-config.js';
import { visitOf } from '../page/page-session.js';
import { ApiError } from '../wire/api-error.js';
import { parseBody } from '../wire/parse-request.js';
import { AuthorizationServer } from './authorization-server.js';
import { consentPage, errorPage, PAGE_POLICY } from './authorization.pages.js';
import { ConsentReader } from './consent.reader.js';
import { PersonReader } from './person.reader.js';
import { FIRST_PERSON_ID } from './persons.js';
import { RecordConsent } from './record-consent.js';

const decisionSchema = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('approve'),
    company_id: z.guid(),
    access_level: z.enum(['company', 'organisation']).default('company'),
    person_id: z.guid().default(FIRST_PERSON_ID),
  }),
  z.object({ decision: z.literal('deny') }),
]);
const requestSchema = z.object({ client_id: z.string(), scope: z.string().default('') });

/** The page where a person picks a company and approves or denies; a script can send the same two requests. */
@WithoutCredential()
@Controller('oauth/interaction/:uid')
export class ConsentController {
  constructor(
    private readonly authorizationServer: AuthorizationServer,
    private readonly consentReader: ConsentReader,
    private readonly recordConsent: RecordConsent,
    private readonly personReader: PersonReader,
    private readonly simulatorConfig: SimulatorConfig,
  ) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-store')
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const opened = await this.openRequest(request, reply).catch((error: unknown) => {
      // A browser comes here by its Back button, too.
      if (error instanceof ApiError && request.headers.accept?.includes('text/html') === true) {
        void reply.status(error.status);
        return undefined;
      }
      throw error;
    });
    if (opened === undefined) {
      return errorPage('INTERACTION_NOT_FOUND', 'This page can be used once. Go to the app, and begin there again.');
    }
    const { client_id: clientId, scope } = opened;
    return consentPage(await this.consentReader.read(clientId, scopesOf(scope), visitOf(request)));
  }

  @Post()
  async decide(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    const decision = parseBody(decisionSchema, body);
    const { client_id: clientId, scope, sessionUid } = await this.openRequest(request, reply);
    if (decision.decision === 'approve' && (await this.personReader.find(decision.person_id)) === undefined) {
      throw new ApiError(400, 'VALIDATION_FAILED', 'person_id: there is no such person');
    }
    const result =
      decision.decision === 'deny'
        ? { error: 'access_denied', error_description: 'The person denied the access.' }
        : {
            login: { accountId: decision.person_id },
            consent: {
              grantId: await this.recordConsent.record(this.simulatorConfig.publicUrl, {
                clientId,
                personId: decision.person_id,
                companyId: decision.company_id,
                accessLevel: decision.access_level,
                scopes: scopesOf(scope),
              }),
            },
          };
    const returnTo = await this.authorizationServer.provider.interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: false,
    });
    if (decision.decision === 'approve') {
      await this.signInAs(sessionUid, decision.person_id);
    }
    await reply.redirect(returnTo, 303);
  }

  /** Another person may use the same browser: the library would require the previous one to sign out first. */
  private async signInAs(sessionUid: string | undefined, personId: string): Promise<void> {
    const session =
      sessionUid === undefined ? undefined : await this.authorizationServer.provider.Session.findByUid(sessionUid);
    if (session !== undefined && session.accountId !== personId) {
      session.loginAccount({ accountId: personId });
      await session.persist();
    }
  }

  private async openRequest(request: FastifyRequest, reply: FastifyReply) {
    const interaction = await this.authorizationServer.provider
      .interactionDetails(request.raw, reply.raw)
      .catch((error: unknown) => {
        throw new ApiError(400, 'INTERACTION_NOT_FOUND', `Start again at the app: ${messageOf(error)}.`);
      });
    return { ...requestSchema.parse(interaction.params), sessionUid: interaction.session?.uid };
  }
}

function scopesOf(scope: string): readonly string[] {
  return scope.split(' ').filter((name) => name !== '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'this request is no longer open';
}
