import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toInstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { DeadLetterReader } from '../../operations/dead-letter.reader.js';
import { ReplayDeadLetter } from '../../operations/replay-dead-letter.js';
import { WorkerRegistry } from '../../tasks/worker-registry.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { installationNotFound, REPLAY_DEAD_LETTER, successOf } from '../http/outcome-problems.js';
import { INSTANT, PagedList, textKey } from '../http/page.js';
import { notFound } from '../http/problems.js';
import {
  DeadLetterReplayResponse,
  DeadLettersQuery,
  DeadLettersResponse,
  WorkersResponse,
} from './operator-work.dto.js';

const DEAD_LETTERS = new PagedList({ at: INSTANT, id: textKey(/^(task|message)\.[0-9a-f-]{36}$/) });

/** Workers, and the work that was given up. */
@ApiTags('Operator')
@Controller('api/v1/operator')
export class OperatorWorkController {
  constructor(
    private readonly deadLetterReader: DeadLetterReader,
    private readonly replayDeadLetter: ReplayDeadLetter,
    private readonly workerRegistry: WorkerRegistry,
  ) {}

  @Get('dead-letters')
  @ApiOperation({
    summary: 'List dead letters',
    description:
      'Tasks whose attempts were used up and quarantined messages of one customer or of all, without their contents.',
  })
  @Access('operator')
  @ApiOkResponse({ type: DeadLettersResponse })
  async deadLetters(@Query() { customer, ...page }: DeadLettersQuery): Promise<DeadLettersResponse> {
    return DEAD_LETTERS.page(page, (after, limit) => this.deadLetterReader.list({ customer, after, limit }));
  }

  @Post('customers/:id/dead-letters/:letterId/replay')
  @ApiOperation({
    summary: 'Replay a dead letter',
    description: 'Sends the task again, or ingests the message again. What fails again comes back to the list.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('operator')
  @ApiAcceptedResponse({ type: DeadLetterReplayResponse })
  @ApiNotFoundResponse({ description: 'there is no such dead letter of the customer' })
  async replay(@Param('id') id: string, @Param('letterId') letterId: string): Promise<DeadLetterReplayResponse> {
    if (!isUuid(id)) {
      throw installationNotFound();
    }
    const replayed = await this.replayDeadLetter.replay(toInstallationId(id), letterId);
    const { outcome } = successOf(
      replayed,
      ['sent', 'stored', 'duplicate', 'requeued', 'quarantined'],
      REPLAY_DEAD_LETTER,
    );
    return { outcome };
  }

  @Get('workers')
  @ApiOperation({ summary: 'List workers', description: 'Worker processes, those that were there last first.' })
  @Access('operator')
  @ApiOkResponse({ type: WorkersResponse })
  async workers(): Promise<WorkersResponse> {
    return { data: await this.workerRegistry.list() };
  }

  @Post('workers/:id/drain')
  @ApiOperation({
    summary: 'Drain a worker',
    description:
      'The worker takes nothing more, within five seconds; what it does ends at its next safe point and other workers go on with it. It counts until the process is started again.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('operator')
  @ApiAcceptedResponse()
  @ApiNotFoundResponse({ description: 'there is no such worker any more' })
  async drain(@Param('id') id: string): Promise<void> {
    if (!isUuid(id) || !(await this.workerRegistry.requestDrain(id))) {
      throw notFound(message('problem.not-found.worker'));
    }
  }
}
