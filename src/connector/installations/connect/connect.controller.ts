import { Controller, Get, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiFoundResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { AttemptCookie } from './attempt-cookie.js';
import { AuthorizationResponses } from './authorization-responses.js';
import { BeginAuthorization } from './begin-authorization.js';
import { CompleteAuthorization } from './complete-authorization.js';
import { CompleteConnection } from './complete-connection.js';
import { CompleteSignIn } from './complete-sign-in.js';
import { PublicAddress } from '../public-address.js';

const MAX_PARAMETER_LENGTH = 2_048;
const MAX_SEARCH_LENGTH = 100;
/** What an authorization server may send as a code or a state (RFC 6749, appendix A). */
const VISIBLE = /^[\x20-\x7e]+$/;

/** The stops of a person's browser on the way to a connected company, or to its settings. */
@ApiTags('Connecting')
@Access('public')
@Controller()
export class ConnectController {
  constructor(
    private readonly beginAuthorization: BeginAuthorization,
    private readonly completeAuthorization: CompleteAuthorization,
    private readonly completeConnection: CompleteConnection,
    private readonly completeSignIn: CompleteSignIn,
    private readonly authorizationResponses: AuthorizationResponses,
    private readonly attemptCookie: AttemptCookie,
    private readonly publicAddress: PublicAddress,
  ) {}

  /** For a person's browser: begins connecting a company, by OAuth with PKCE. */
  @Get('connect')
  @ApiFoundResponse({ description: 'to the platform’s consent page' })
  async connect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertOurAddress(request);
    const { location, cookie } = await this.beginAuthorization.begin('connect');
    await reply.header('set-cookie', cookie).header('cache-control', 'no-store').redirect(location, 302);
  }

  /** For the browser on its way back from the platform. */
  @Get('oauth/callback')
  @ApiOkResponse({ description: 'a page that says the company is connected, or asks which company it is' })
  @ApiFoundResponse({ description: 'to the settings, after signing in' })
  @ApiNotFoundResponse({ description: 'nobody signs in to a company that is not connected' })
  @ApiBadRequestResponse({
    description: 'the attempt is unknown, used, too old, of another browser, or was denied',
  })
  @ApiConflictResponse({ description: 'scopes are missing, or another organization has the company' })
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertOurAddress(request);
    const query = queryOf(request);
    if (!query.has('error')) {
      assertVisible(query, 'state');
      assertVisible(query, 'code');
    }
    const result = query.has('error')
      ? ({ outcome: 'denied' } as const)
      : await this.completeAuthorization.complete(query, this.attemptCookie.read(request));
    await this.authorizationResponses.send(request, reply, result);
  }

  /** For the browser, after an organization gave access: which of its companies is connected. */
  @Get('oauth/company')
  @ApiOkResponse({ description: 'a page that says the company is connected' })
  @ApiBadRequestResponse({ description: 'the choice is unknown, used, too old, or of another browser' })
  @ApiConflictResponse({ description: 'another organization has the company' })
  async chooseCompany(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertOurAddress(request);
    const query = queryOf(request);
    const state = assertVisible(query, 'state');
    const companyId = assertVisible(query, 'company_id');
    const result = await this.completeConnection.chooseCompany(
      state,
      companyId,
      this.attemptCookie.read(request),
    );
    await this.authorizationResponses.send(request, reply, result);
  }

  /** As `/oauth/company`, for somebody who signs in to one of several connected companies. */
  @Get('oauth/sign-in')
  @ApiFoundResponse({ description: 'to the settings' })
  @ApiBadRequestResponse({ description: 'the choice is unknown, used, too old, or of another browser' })
  async chooseSignIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertOurAddress(request);
    const query = queryOf(request);
    const state = assertVisible(query, 'state');
    const companyId = assertVisible(query, 'company_id');
    const result = await this.completeSignIn.chooseCompany(
      state,
      companyId,
      this.attemptCookie.read(request),
    );
    await this.authorizationResponses.send(request, reply, result);
  }

  /** For the same browser: the companies whose name or registration number holds a text. */
  @Get('oauth/companies')
  @ApiOkResponse({ description: 'the page that asks which company it is, with those found' })
  @ApiBadRequestResponse({ description: 'the choice is unknown, used, too old, or of another browser' })
  async searchCompanies(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertOurAddress(request);
    const query = queryOf(request);
    const state = assertVisible(query, 'state');
    const search = (query.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
    const result = await this.completeConnection.searchCompanies(
      state,
      search,
      this.attemptCookie.read(request),
    );
    await this.authorizationResponses.send(request, reply, result);
  }

  /** Another host name that leads here is somebody else's trick, or a proxy that is set up wrongly. */
  private assertOurAddress(request: FastifyRequest): void {
    if (request.hostname !== this.publicAddress.hostname) {
      throw new Problem({
        status: 400,
        type: 'wrong-host',
        detail: 'The connector is not reached by this host name.',
      });
    }
  }
}

/** @throws Problem 400 for a query that no authorization server sends */
function queryOf(request: FastifyRequest): URLSearchParams {
  const query = new URL(request.url, 'http://callback').searchParams;
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1 || (values[0] ?? '').length > MAX_PARAMETER_LENGTH) {
      throw invalidCallback(`The parameter "${name.slice(0, 40)}" is there twice or too long.`);
    }
  }
  return query;
}

function assertVisible(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? '';
  if (!VISIBLE.test(value)) {
    throw invalidCallback(`The parameter "${name}" is needed, in visible characters.`);
  }
  return value;
}

function invalidCallback(detail: string): Problem {
  return new Problem({ status: 400, type: 'invalid-callback', detail });
}
