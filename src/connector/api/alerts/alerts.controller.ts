import { Body, Controller, Get, Headers, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { isEmail } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { alertMessages } from '../../alerts/domain/alert.js';
import { AlertReader } from '../../alerts/alert.reader.js';
import type { AlertView } from '../../alerts/domain/alert-message.js';
import { SaveAlertSettings } from '../../alerts/save-alert-settings.js';
import { MAX_TESTS, SendTestAlert } from '../../alerts/send-test-alert.js';
import type { SavedAlertSettings } from '../../alerts/domain/alert-settings.js';
import {
  AlertSettingsRequest,
  AlertSettingsResponse,
  AlertSettingsSavedResponse,
  AlertsResponse,
  AlertTestResponse,
  type AlertResponse,
} from './alerts.dto.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { expectedVersionOf, IF_MATCH, setEtag } from '../http/if-match.js';
import { badAlertAddress, SAVE_ALERT_SETTINGS, successOf } from '../http/outcome-problems.js';
import { PageQuery } from '../http/page.dto.js';
import { INSTANT, PagedList, UUID } from '../http/page.js';
import { Caller, type Principal } from '../http/principal.js';
import { problem } from '../http/problems.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

const ALERTS = new PagedList({ raisedAt: INSTANT, id: UUID });

@ApiTags('Alerts')
@Controller('api/v1')
export class AlertsController {
  constructor(
    private readonly alertReader: AlertReader,
    private readonly saveAlertSettings: SaveAlertSettings,
    private readonly sendTestAlert: SendTestAlert,
  ) {}

  @Get('alert-settings')
  @ApiOperation({ summary: 'Read where alerts go', description: 'Where alerts are sent, and of which kinds.' })
  @Access('admin')
  @ApiOkResponse({ type: AlertSettingsResponse })
  async read(
    @Caller() caller: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertSettingsResponse> {
    const settings = await this.alertReader.readSettings(caller.installationId);
    setEtag(reply, settings.version);
    return this.toResponse(settings);
  }

  @Put('alert-settings')
  @ApiOperation({
    summary: 'Save where alerts go',
    description: 'Sets where alerts are sent. Facts from before alerts were switched on raise none.',
  })
  @Access('admin')
  @RecentSignIn()
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: AlertSettingsSavedResponse })
  @ApiUnprocessableEntityResponse({ description: 'the address is not allowed' })
  async save(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() { channel, address, kinds, newSecret }: AlertSettingsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertSettingsSavedResponse> {
    const seen = expectedVersionOf(ifMatch);
    if (channel === 'mail' && address !== undefined && !isEmail(address)) {
      throw badAlertAddress('no-mail-address');
    }
    const change = { channel, address, kinds, newSecret };
    const saved = successOf(
      await this.saveAlertSettings.saveSettings(caller.installationId, seen, change),
      ['saved'],
      SAVE_ALERT_SETTINGS,
    );
    setEtag(reply, saved.settings.version);
    return { ...this.toResponse(saved.settings), secret: saved.secret ?? null };
  }

  @Post('alert-settings/test')
  @ApiOperation({ summary: 'Send a test alert', description: 'Sends a test message to the saved address.' })
  @Idempotent()
  @HttpCode(200)
  @Access('admin')
  @RecentSignIn()
  @ApiOkResponse({ type: AlertTestResponse })
  @ApiTooManyRequestsResponse({ description: 'three tests were sent in the last ten minutes' })
  async test(@Caller() caller: Principal, @ReaderLanguage() language: string): Promise<AlertTestResponse> {
    const tried = await this.sendTestAlert.sendTest(caller.installationId);
    if (tried === undefined) {
      const detail = message('problem.too-many-tests.detail', { most: MAX_TESTS });
      throw problem('too-many-tests', detail, { headers: { 'retry-after': '600' } });
    }
    const { problem: reason } = tried;
    return { delivered: reason === undefined, problem: reason === undefined ? null : localize(language, reason).text };
  }

  @Get('alerts')
  @ApiOperation({ summary: 'List alerts', description: 'Alerts, newest first.' })
  @Access('viewer')
  @ApiOkResponse({ type: AlertsResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: PageQuery,
    @ReaderLanguage() language: string,
  ): Promise<AlertsResponse> {
    const { data, nextCursor } = await ALERTS.page(query, (after, limit) =>
      this.alertReader.list(installationId, after, limit),
    );
    return { data: data.map((alert) => toAlert(alert, language)), nextCursor };
  }

  private toResponse({ version, channel, address, kinds }: SavedAlertSettings) {
    return { version, channel, address: address ?? null, kinds, canSendMail: this.alertReader.canSendMail };
  }
}

function toAlert(alert: AlertView, language: string): AlertResponse {
  const { id, kind, title, advice, raisedAt, state, sentAt, problem } = alert;
  const messages = alertMessages(alert);
  const [message, action] = [localize(language, messages.title), localize(language, messages.advice)];
  return {
    id,
    kind,
    title,
    advice,
    message,
    action,
    raisedAt,
    state,
    sentAt,
    problem: problem && localizeProblem(language, problem),
  };
}
