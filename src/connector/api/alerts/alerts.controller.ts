import { Body, Controller, Get, Headers, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiHeader,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { isEmail } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { AlertsService, MAX_TESTS, type AlertView } from '../../alerts/alerts.service.js';
import type { SavedAlertSettings } from '../../alerts/domain/alert-settings.js';
import {
  AlertSettingsRequest,
  AlertSettingsResponse,
  AlertSettingsSavedResponse,
  AlertsResponse,
  AlertTestResponse,
  type AlertResponse,
} from './alerts.dto.js';
import { installationNotFound } from '../people/api-token-problems.js';
import { decodeCursor, encodeCursor, INSTANT, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { IF_MATCH, expectedVersionOf, setEtag, staleVersion } from '../mapping/mapping-preconditions.js';
import { Caller, type Principal } from '../http/principal.js';

@ApiTags('Alerts')
@ApiBearerAuth()
@Controller('api/v1')
export class AlertsController {
  constructor(private readonly alertsService: AlertsService) {}

  /** Where alerts go, and which. */
  @Get('alert-settings')
  @Access('admin')
  @ApiOkResponse({ type: AlertSettingsResponse })
  async read(
    @Caller() caller: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertSettingsResponse> {
    const settings = await this.alertsService.read(caller.installationId);
    setEtag(reply, settings.version);
    return toResponse(settings);
  }

  /** Says where alerts go. What happened before alerts were switched on is not told. */
  @Put('alert-settings')
  @Access('admin')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: AlertSettingsSavedResponse })
  @ApiUnprocessableEntityResponse({ description: 'the address is none that may be called or written to' })
  async save(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() { channel, address, kinds, newSecret }: AlertSettingsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertSettingsSavedResponse> {
    const seen = expectedVersionOf(ifMatch);
    if (channel === 'mail' && address !== undefined && !isEmail(address)) {
      throw badAddress('needs to be a mail address');
    }
    const change = { channel, address, kinds, newSecret };
    const saved = await this.alertsService.save(caller.installationId, seen, change);
    switch (saved.outcome) {
      case 'saved':
        setEtag(reply, saved.settings.version);
        return { ...toResponse(saved.settings), secret: saved.secret ?? null };
      case 'stale':
        throw staleVersion();
      case 'not-installed':
        throw installationNotFound();
      case 'bad-address':
        throw badAddress(saved.detail);
      case 'no-mail-server': {
        const detail = 'This connector has no mail server. Use a webhook, or ask its operator to set one.';
        throw new Problem({ status: 422, type: 'no-mail-server', detail });
      }
    }
  }

  /** Sends a test message to what is saved, now. */
  @Post('alert-settings/test')
  @Idempotent()
  @HttpCode(200)
  @Access('admin')
  @ApiOkResponse({ type: AlertTestResponse })
  @ApiTooManyRequestsResponse({ description: 'three tests were sent in the last ten minutes' })
  async test(@Caller() caller: Principal): Promise<AlertTestResponse> {
    const tried = await this.alertsService.test(caller.installationId);
    if (tried === undefined) {
      const detail = `At most ${MAX_TESTS.toString()} tests are sent in ten minutes. Try again later.`;
      throw new Problem({ status: 429, type: 'too-many-tests', detail, headers: { 'retry-after': '600' } });
    }
    return { delivered: tried.problem === undefined, problem: tried.problem ?? null };
  }

  /** What was told, newest first. */
  @Get('alerts')
  @Access('viewer')
  @ApiOkResponse({ type: AlertsResponse })
  async list(@Caller() caller: Principal, @Query() { after, limit }: PageQuery): Promise<AlertsResponse> {
    const [raisedAt, id] = after === undefined ? [] : decodeCursor(after, [INSTANT, UUID]);
    const last =
      raisedAt === undefined || id === undefined ? undefined : { raisedAt: new Date(raisedAt), id };
    const found = await this.alertsService.list(caller.installationId, last, limit + 1);
    const data = found.slice(0, limit);
    const end = found.length > limit ? data.at(-1) : undefined;
    return {
      data: data.map(toAlert),
      nextCursor: end === undefined ? null : encodeCursor([end.raisedAt.toISOString(), end.id]),
    };
  }
}

function badAddress(detail: string): Problem {
  const errors = [{ pointer: '/address', detail }];
  return new Problem({ status: 422, type: 'bad-alert-address', detail: `The address ${detail}.`, errors });
}

function toResponse({ version, channel, address, kinds }: SavedAlertSettings) {
  return { version, channel, address: address ?? null, kinds };
}

function toAlert({ id, kind, title, advice, raisedAt, state, sentAt, problem }: AlertView): AlertResponse {
  return { id, kind, title, advice, raisedAt, state, sentAt, problem };
}
