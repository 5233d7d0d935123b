import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiBadRequestResponse, ApiFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../foundation/http/access.js';
import { Problem } from '../../foundation/http/problem.js';
import { BeginConnection } from './begin-connection.js';
import { CompleteConnection, type CompletedConnection } from './complete-connection.js';
import { page } from './connect.page.js';
import { PublicAddress } from './public-address.js';

const COOKIE = 'connector_connection';
const COOKIE_SECONDS = 600;
const LONGEST_PARAMETER = 2_048;

const ANSWERS: Readonly<
  Record<
    CompletedConnection['outcome'] | 'denied',
    { readonly status: number; readonly title: string; readonly text: string }
  >
> = {
  connected: {
    status: 200,
    title: 'Connected',
    text: 'connected. Exports start as soon as the set-up is complete.',
  },
  denied: {
    status: 400,
    title: 'Not connected',
    text: 'The platform did not give access. Nothing was changed; you can start again from the marketplace.',
  },
  'attempt-unknown': {
    status: 400,
    title: 'Please start again',
    text: 'This attempt to connect is unknown, already used, older than ten minutes, or was begun in another browser.',
  },
  refused: {
    status: 400,
    title: 'Not connected',
    text: 'The platform did not accept the authorisation. Please start again from the marketplace.',
  },
  'platform-unusable': {
    status: 502,
    title: 'Not connected',
    text: 'The platform could not be reached or gave an answer we cannot use. Please try again in a few minutes.',
  },
};

/** The two stops of a person's browser on the way to a connected company. */
@ApiTags('Connecting')
@Access('public')
@Controller()
export class ConnectController {
  constructor(
    private readonly begin: BeginConnection,
    private readonly complete: CompleteConnection,
    private readonly address: PublicAddress,
  ) {}

  /** For a person's browser: begins connecting a company, by OAuth with PKCE. */
  @Get('connect')
  @ApiFoundResponse({ description: 'to the platform’s consent page' })
  async connect(@Res() reply: FastifyReply): Promise<void> {
    const { location, browser } = await this.begin.run();
    await reply
      .header('set-cookie', this.cookie(browser, COOKIE_SECONDS))
      .header('cache-control', 'no-store')
      .redirect(location.toString(), 302);
  }

  /** For the browser on its way back from the platform. */
  @Get('oauth/callback')
  @ApiOkResponse({ description: 'a page that says the company is connected' })
  @ApiBadRequestResponse({
    description: 'the attempt is unknown, used, too old, of another browser, or was denied',
  })
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = callbackQuery(request);
    void reply.header('set-cookie', this.cookie('', 0)).header('cache-control', 'no-store');
    const result = query.has('error')
      ? ({ outcome: 'denied' } as const)
      : await this.complete.run(query, browserOf(request));
    const { status, title, text } = ANSWERS[result.outcome];
    const installationId = result.outcome === 'connected' ? result.installationId : undefined;
    const company = result.outcome === 'connected' ? `${result.companyName}: ` : '';
    await reply
      .status(status)
      .type('text/html; charset=utf-8')
      .send(page(title, `${company}${text}`, installationId));
  }

  private cookie(value: string, seconds: number): string {
    const secure = this.address.isSecure ? '; Secure' : '';
    return `${COOKIE}=${value}; Path=/oauth; HttpOnly; SameSite=Lax; Max-Age=${seconds.toString()}${secure}`;
  }
}

/** @throws Problem 400 for a query that no authorization server sends */
function callbackQuery(request: FastifyRequest): URLSearchParams {
  const query = new URL(request.url, 'http://callback').searchParams;
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1 || (values[0] ?? '').length > LONGEST_PARAMETER) {
      throw invalidCallback(`The parameter "${name.slice(0, 40)}" is there twice or too long.`);
    }
  }
  if (!query.has('error') && !(query.has('state') && query.has('code'))) {
    throw invalidCallback('The parameters "state" and "code" are needed.');
  }
  return query;
}

function browserOf(request: FastifyRequest): string {
  const cookies = (request.headers.cookie ?? '').split('; ');
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}

function invalidCallback(detail: string): Problem {
  return new Problem({ status: 400, type: 'invalid-callback', detail });
}
