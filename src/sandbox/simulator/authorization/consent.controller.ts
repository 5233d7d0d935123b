import { Body, Controller, Get, Header, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { SimulatorConfig } from '../simulator-config.js';
import { ApiError } from '../wire/api-error.js';
import { parseBody } from '../wire/parse-request.js';
import { AuthorizationRepositories, AuthorizationServer } from './authorization-server.js';
import { consentPage, PAGE_POLICY } from './authorization.pages.js';
import { FIRST_PERSON_ID, nameOfPerson, PERSONS } from './persons.js';
import { RecordConsent } from './record-consent.js';

const decisionSchema = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('approve'),
    company_id: z.uuid(),
    access_level: z.enum(['company', 'organisation']).default('company'),
    person_id: z
      .string()
      .refine((id) => nameOfPerson(id) !== undefined, 'there is no such person')
      .default(FIRST_PERSON_ID),
  }),
  z.object({ decision: z.literal('deny') }),
]);
const requestSchema = z.object({ client_id: z.string(), scope: z.string().default('') });

/** The page where a person picks a company and approves or denies; a script drives it with the same two requests. */
@Controller('oauth/interaction/:uid')
export class ConsentController {
  constructor(
    private readonly authorizationServer: AuthorizationServer,
    private readonly authorizationRepositories: AuthorizationRepositories,
    private readonly companyRepository: CompanyRepository,
    private readonly recordConsent: RecordConsent,
    private readonly simulatorConfig: SimulatorConfig,
    private readonly database: Database,
  ) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-store')
  async show(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { client_id: clientId, scope } = await this.openRequest(request, reply);
    return this.database.inTransaction('show consent', async (tx) => {
      const client = await this.authorizationRepositories.oAuthClientRepository.find(tx, clientId);
      const companies = await this.companyRepository.findAll(tx);
      return consentPage({
        clientName: client?.name ?? clientId,
        scopes: scopesOf(scope),
        companies,
        persons: PERSONS,
      });
    });
  }

  @Post()
  async decide(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    const decision = parseBody(decisionSchema, body);
    const { client_id: clientId, scope, sessionUid } = await this.openRequest(request, reply);
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
    const returnTo = await this.authorizationServer.provider.interactionResult(
      request.raw,
      reply.raw,
      result,
      {
        mergeWithLastSubmission: false,
      },
    );
    if (decision.decision === 'approve') {
      await this.signInAs(sessionUid, decision.person_id);
    }
    await reply.redirect(returnTo, 303);
  }

  /** Somebody else may sit down at the browser: the library would have the one before sign out first. */
  private async signInAs(sessionUid: string | undefined, personId: string): Promise<void> {
    const session =
      sessionUid === undefined
        ? undefined
        : await this.authorizationServer.provider.Session.findByUid(sessionUid);
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
  return error instanceof Error ? error.message : 'this request is not open any more';
}
