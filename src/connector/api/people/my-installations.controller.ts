import { Body, Controller, Get, Header, HttpCode, Put, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { toInstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { MemberReader } from '../../access/member.reader.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { SwitchInstallation } from '../../access/switch-installation.js';
import { moneyOf } from '../http/money.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { notFound, problem } from '../http/problems.js';
import { OverviewReader } from '../overview/overview.reader.js';
import {
  MyInstallationsResponse,
  SwitchInstallationRequest,
  type MyInstallationResponse,
} from './my-installations.dto.js';

/** All companies of a person who works for several. */
@ApiTags('People and tokens')
@Controller('api/v1/me')
export class MyInstallationsController {
  constructor(
    private readonly memberReader: MemberReader,
    private readonly overviewReader: OverviewReader,
    private readonly switchInstallation: SwitchInstallation,
    private readonly connectorSite: ConnectorSite,
  ) {}

  @Get('installations')
  @ApiOperation({
    summary: 'List own companies',
    description:
      'The companies that the caller may see, each with what needs a person there: those of which they are a member and to which they have signed in within the last 30 days. With an API token only the company of the token.',
  })
  @Access('viewer')
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: MyInstallationsResponse })
  async list(@Caller() caller: Principal): Promise<MyInstallationsResponse> {
    const { installationId, token, memberId, role } = caller;
    const mine = await this.memberReader.membershipsOf(installationId, token === undefined ? memberId : undefined);
    const data: MyInstallationResponse[] = [];
    // One after the other: a person with many companies takes one connection to the database, like everyone.
    for (const membership of mine) {
      const { issues, inDoubtPostings, discrepancies, failedEntries } = await this.overviewReader.readFigures(
        membership.installationId,
        [],
      );
      const current = membership.installationId === installationId;
      data.push({
        ...membership,
        role: current ? role : membership.role,
        current,
        needsAttention: issues.count + inDoubtPostings.count + discrepancies.count,
        failedEntries,
        amounts: issues.amounts.flatMap(({ currency, minor }) => moneyOf(minor, currency) ?? []),
      });
    }
    return { data };
  }

  @Put('installation')
  @ApiOperation({
    summary: 'Switch to another company',
    description:
      'Ends the session and starts one of another company of the same person, without signing in again; its role there counts from now on. Sensitive actions ask for a sign-in to that company.',
  })
  @HttpCode(204)
  @Access('viewer')
  @ApiNoContentResponse({ description: 'the cookie is another one, and so is the CSRF token' })
  @ApiNotFoundResponse({ description: 'not a company of the caller' })
  async switch(
    @Caller() { installationId, memberId }: Principal,
    @Body() { installationId: wanted }: SwitchInstallationRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const sessionId = this.connectorSite.sessionIdOf(request);
    if (sessionId === undefined || memberId === undefined) {
      throw problem('forbidden', message('problem.forbidden.only-session'));
    }
    const switched = await this.switchInstallation.switchTo(
      { installationId, memberId, sessionId },
      toInstallationId(wanted),
    );
    if (switched.outcome === 'unknown') {
      throw notFound(message('problem.not-found.own-company'));
    }
    void reply
      .header('set-cookie', this.connectorSite.setCookieHeader(switched.id))
      .header('cache-control', 'no-store');
  }
}
