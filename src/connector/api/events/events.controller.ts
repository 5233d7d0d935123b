import type { Readable } from 'node:stream';
import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { PageEventReader, type EventCursor } from '../../page-events/page-event.reader.js';
import { IdentifyCaller } from '../http/identify-caller.js';
import { Caller, type Principal } from '../http/principal.js';
import { problem } from '../http/problems.js';
import { EVENT_ID, EventsQuery, EventsResponse } from './events.dto.js';
import { eventIdOf, EventStreams } from './event-streams.js';

const STREAM = 'text/event-stream';

@ApiTags('Overview')
@ApiExtraModels(EventsResponse)
@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly eventStreams: EventStreams,
    private readonly pageEventReader: PageEventReader,
    private readonly identifyCaller: IdentifyCaller,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Follow what changes',
    description:
      'With `Accept: text/event-stream` a stream of server-sent events: each names its kind, with an `EventResponse` as data; `progress` has the counters of an export that runs, `reset` says that everything has to be read again, `ready` that everything was told so far. It resumes after Last-Event-ID for an hour, and ends with the session or token. Otherwise the same as JSON, once.',
  })
  @Access('viewer')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'id of the last event that was seen' })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(EventsResponse) } },
      [STREAM]: { schema: { type: 'string' } },
    },
  })
  async follow(
    @Caller() { installationId, name }: Principal,
    @Query() { since: lastSeen }: EventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventsResponse | Readable> {
    const cursor = cursorOf(lastEventId ?? lastSeen);
    void reply.header('vary', 'accept');
    if (accept?.includes(STREAM) === true) {
      const isStillValid = async () => this.identifyCaller.isStillValid(request, installationId);
      const stream = await this.eventStreams.openStream({ installationId, name, isStillValid }, cursor);
      // A proxy in front must not wait for more. The connection ends with the stream: a process that stops ends its streams and waits
      // for its connections, which would otherwise stay open for another 72 s.
      void reply.type(STREAM).headers({ 'x-accel-buffering': 'no', connection: 'close' });
      return stream;
    }
    const since = await this.pageEventReader.readSince(installationId, cursor);
    const isMissed = since.events === 'missed';
    return { data: isMissed ? [] : since.events, reset: isMissed, lastEventId: eventIdOf(since.cursor) };
  }
}

function cursorOf(text: string | undefined): EventCursor | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [, horizon, seconds] = EVENT_ID.exec(text) ?? [];
  if (horizon === undefined) {
    throw problem('invalid-cursor', message('problem.invalid-cursor.event'));
  }
  return { horizon, seconds: Number(seconds) };
}
