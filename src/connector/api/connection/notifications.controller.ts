import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { NotificationReader } from '../../webhooks/notification.reader.js';
import { ReplayNotification } from '../../webhooks/replay-notification.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { NotificationsQuery, NotificationsResponse, ReplayResponse } from './notifications.dto.js';
import { REPLAY_NOTIFICATION, successOf } from '../http/outcome-problems.js';
import { INSTANT, PagedList, textKey } from '../http/page.js';
import { Caller, type Principal } from '../http/principal.js';

const NOTIFICATIONS = new PagedList({
  receivedAt: INSTANT,
  id: textKey(/^(accepted|quarantine)\.[A-Za-z0-9_-]{1,128}$/),
});

@ApiTags('Notifications')
@Controller('api/v1/notifications')
export class NotificationsController {
  constructor(
    private readonly notificationReader: NotificationReader,
    private readonly replayNotification: ReplayNotification,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List messages of the platform',
    description: 'Messages of the platform, newest first, including quarantined ones. Bodies are not shown.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: NotificationsResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: NotificationsQuery,
  ): Promise<NotificationsResponse> {
    return NOTIFICATIONS.page(query, (after, limit) =>
      this.notificationReader.list(installationId, { state: query.state, after, limit }),
    );
  }

  @Post(':id/replay')
  @ApiOperation({
    summary: 'Ingest a message again',
    description: 'Ingests a message again, in the same way as a delivery of the platform.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('admin')
  @ApiAcceptedResponse({ type: ReplayResponse })
  async replay(@Caller() caller: Principal, @Param('id') id: string): Promise<ReplayResponse> {
    const replayed = successOf(
      await this.replayNotification.replay(caller.installationId, id),
      ['stored', 'duplicate', 'requeued', 'quarantined'],
      REPLAY_NOTIFICATION,
    );
    return {
      outcome: replayed.outcome,
      detail: replayed.outcome === 'quarantined' ? replayed.detail : null,
    };
  }
}
