import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiFoundResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { callbackQuery, requireVisible } from '../../../foundation/http/oauth/callback-query.js';
import { message } from '../../../kernel/message.js';
import { AttemptCookie } from './attempt-cookie.js';
import { AuthorizationResponses } from './authorization-responses.js';
import { BeginAuthorization } from './begin-authorization.js';
import { CompleteAuthorization } from './complete-authorization.js';
import { CompleteConnection } from './complete-connection.js';
import { CompleteSignIn } from './complete-sign-in.js';
import { OwnHostGuard } from './own-host.guard.js';

const MAX_SEARCH_LENGTH = 100;

/** The addresses a person's browser visits to connect a company, or to sign in to it. */
@ApiTags('Connecting')
@Access('public')
@UseGuards(OwnHostGuard)
@Controller()
export class ConnectController {
  constructor(
    private readonly beginAuthorization: BeginAuthorization,
    private readonly completeAuthorization: CompleteAuthorization,
    private readonly completeConnection: CompleteConnection,
    private readonly completeSignIn: CompleteSignIn,
    private readonly authorizationResponses: AuthorizationResponses,
    private readonly attemptCookie: AttemptCookie,
  ) {}

  @Get('connect')
  @ApiOperation({ summary: 'Connect a company', description: 'Starts connecting a company, by OAuth with PKCE.' })
  @ApiFoundResponse({ description: 'to the platform’s consent page' })
  async connect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const begun = await this.beginAuthorization.begin('connect', request.ip);
    if (begun === undefined) {
      const detail = 'Too many connections were begun from this address and not finished: try again in ten minutes.';
      const text = message('problem.too-many-attempts.connections');
      const headers = { 'retry-after': '600' };
      throw new Problem({ status: 429, type: 'too-many-attempts', detail, message: text, headers });
    }
    const { location, cookie } = begun;
    await reply.header('set-cookie', cookie).header('cache-control', 'no-store').redirect(location, 302);
  }

  @Get('oauth/callback')
  @ApiOperation({
    summary: 'Return from the platform’s consent',
    description: 'The platform redirects the browser here after the consent.',
  })
  @ApiOkResponse({ description: 'a page that says the company is connected, or asks which company it is' })
  @ApiFoundResponse({ description: 'to the page for people, after signing in' })
  @ApiNotFoundResponse({ description: 'the company of the sign-in is not connected' })
  @ApiBadRequestResponse({
    description: 'the attempt is unknown, used, expired, of another browser, or was denied',
  })
  @ApiConflictResponse({
    description: 'scopes are missing, or another organization has connected the company',
  })
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = callbackQuery(request.url);
    if (!query.has('error')) {
      requireVisible(query, 'state');
      requireVisible(query, 'code');
    }
    const browser = this.attemptCookie.read(request);
    const result = query.has('error')
      ? await this.completeAuthorization.refuse(query, browser)
      : await this.completeAuthorization.complete(query, browser);
    await this.authorizationResponses.send(request, reply, result);
  }

  @Get('oauth/company')
  @ApiOperation({
    summary: 'Choose a company after the consent',
    description: 'After an organization’s consent: connects the company that the person has picked.',
  })
  @ApiOkResponse({ description: 'a page that says the company is connected' })
  @ApiBadRequestResponse({ description: 'the choice is unknown, used, expired, or of another browser' })
  @ApiConflictResponse({ description: 'another organization has connected the company' })
  async chooseCompany(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { state, companyId, browser } = this.choiceOf(request);
    const result = await this.completeConnection.chooseCompany(state, companyId, browser);
    await this.authorizationResponses.send(request, reply, result);
  }

  @Get('oauth/sign-in')
  @ApiOperation({
    summary: 'Choose a company after the sign-in',
    description: 'After an organization’s consent to a sign-in: signs in to the company that the person has picked.',
  })
  @ApiFoundResponse({ description: 'to the page for people' })
  @ApiBadRequestResponse({ description: 'the choice is unknown, used, expired, or of another browser' })
  async chooseSignIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { state, companyId, browser } = this.choiceOf(request);
    const result = await this.completeSignIn.chooseCompany(state, companyId, browser);
    await this.authorizationResponses.send(request, reply, result);
  }

  @Get('oauth/companies')
  @ApiOperation({
    summary: 'Search companies of the organization',
    description: 'Searches the companies of the organization by part of their name or registration number.',
  })
  @ApiOkResponse({ description: 'the page that asks which company it is, with those found' })
  @ApiBadRequestResponse({ description: 'the choice is unknown, used, expired, or of another browser' })
  async searchCompanies(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = callbackQuery(request.url);
    const state = requireVisible(query, 'state');
    const search = (query.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
    const browser = this.attemptCookie.read(request);
    const result = await this.completeConnection.searchCompanies(state, search, browser);
    await this.authorizationResponses.send(request, reply, result);
  }

  private choiceOf(request: FastifyRequest) {
    const query = callbackQuery(request.url);
    const state = requireVisible(query, 'state');
    const companyId = requireVisible(query, 'company_id');
    return { state, companyId, browser: this.attemptCookie.read(request) };
  }
}
