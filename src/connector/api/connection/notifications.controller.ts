import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { NotificationReader } from '../../webhooks/notification.reader.js';
import { ReplayMessage } from '../../webhooks/replay-message.js';
import { decodeCursor, encodeCursor, INSTANT } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { NotificationsQuery, NotificationsResponse, ReplayResponse } from './notifications.dto.js';
import { Caller, type Principal } from '../http/principal.js';

const ID = /^(accepted|quarantine)\.[A-Za-z0-9_-]{1,128}$/;

@ApiTags('Notifications')
@ApiBearerAuth()
@Controller('api/v1/notifications')
export class NotificationsController {
  constructor(
    private readonly notificationReader: NotificationReader,
    private readonly replayMessage: ReplayMessage,
  ) {}

  /** Messages of the platform, newest first, with those that were kept aside. Bodies are not shown. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: NotificationsResponse })
  async list(
    @Caller() caller: Principal,
    @Query() { state, after, limit }: NotificationsQuery,
  ): Promise<NotificationsResponse> {
    const [receivedAt, id] = after === undefined ? [] : decodeCursor(after, [INSTANT, ID]);
    const last = receivedAt === undefined || id === undefined ? undefined : { receivedAt, id };
    const filter = { state, after: last, limit: limit + 1 };
    const found = await this.notificationReader.list(caller.installationId, filter);
    const data = found.slice(0, limit);
    const end = found.length > limit ? data.at(-1) : undefined;
    return {
      data,
      nextCursor: end === undefined ? null : encodeCursor([end.receivedAt.toISOString(), end.id]),
    };
  }

  /** Takes a message once more, through the same door as the platform's own deliveries. */
  @Post(':id/replay')
  @Idempotent()
  @HttpCode(202)
  @Access('admin')
  @ApiAcceptedResponse({ type: ReplayResponse })
  async replay(@Caller() caller: Principal, @Param('id') id: string): Promise<ReplayResponse> {
    const replayed = await this.replayMessage.replay(caller.installationId, id);
    switch (replayed.outcome) {
      case 'unknown':
        throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such notification.' });
      case 'body-deleted': {
        const detail = 'The message is older than a week and its body is not kept any more.';
        throw new Problem({ status: 410, type: 'body-deleted', detail });
      }
      case 'quarantined':
        return { outcome: replayed.outcome, detail: replayed.detail };
      default:
        return { outcome: replayed.outcome, detail: null };
    }
  }
}
