import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { IdentifyCaller } from '../http/identify-caller.js';

/** The new address of each page that was below `/settings`; other old addresses lead to the first page. */
const PLACES: Readonly<Record<string, string>> = {
  'api-tokens': '/app/people',
  'erp-connection': '/app/setup',
  'first-admin': '/app/people',
  discrepancies: '/app/reconciliation',
  members: '/app/people',
  sessions: '/app/people',
};

/** The settings address that the platform stores, and old links: a person signs in through the platform and lands on the page. */
@ApiExcludeController()
@Controller('settings')
export class SettingsAddressController {
  constructor(
    private readonly identifyCaller: IdentifyCaller,
    private readonly connectorSite: ConnectorSite,
  ) {}

  @Get('sign-in')
  @Access('public')
  async signInAgain(@Res() reply: FastifyReply): Promise<void> {
    await redirect(reply, '/app/sign-in?again=true');
  }

  @Get(['', '*'])
  @Access('public')
  async open(
    @Req() request: FastifyRequest,
    @Param('*') below: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [first = ''] = below?.split('/') ?? [];
    const to = Object.hasOwn(PLACES, first) ? (PLACES[first] ?? '/app') : '/app';
    const hasSession =
      this.connectorSite.sessionIdOf(request) !== undefined &&
      (await this.identifyCaller.identify(request)) !== undefined;
    await redirect(reply, hasSession ? to : `/app/sign-in?${new URLSearchParams({ to }).toString()}`);
  }
}

async function redirect(reply: FastifyReply, address: string): Promise<void> {
  await reply.header('cache-control', 'no-store').redirect(address, 302);
}
