import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toExportJobId, toInstallationId } from '../../../kernel/ids.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { CustomerReader } from '../../operations/customer.reader.js';
import { PauseCustomer } from '../../operations/pause-customer.js';
import { RetryJob } from '../../operations/retry-job.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { installationNotFound, jobNotFound, RETRY_JOB, successOf } from '../http/outcome-problems.js';
import { PagedList, UUID } from '../http/page.js';
import { CustomerDetailResponse, CustomersQuery, CustomersResponse, PauseRequest } from './operator-customers.dto.js';

const CUSTOMERS = new PagedList({ id: UUID });

/** How customers are, and what an operator does about it; none shows their business data. */
@ApiTags('Operator')
@Controller('api/v1/operator/customers')
export class OperatorCustomersController {
  constructor(
    private readonly customerReader: CustomerReader,
    private readonly pauseCustomer: PauseCustomer,
    private readonly retryJob: RetryJob,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List customers', description: 'Customers by name, with what may need an operator.' })
  @Access('operator')
  @ApiOkResponse({ type: CustomersResponse })
  async list(@Query() { search, concern, ...page }: CustomersQuery): Promise<CustomersResponse> {
    return CUSTOMERS.page(page, (after, limit) => this.customerReader.list({ search, concern, after, limit }));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read how a customer is',
    description: 'One customer with its exports that have not ended.',
  })
  @Access('operator')
  @ApiOkResponse({ type: CustomerDetailResponse })
  @ApiNotFoundResponse({ description: 'there is no such installation' })
  async show(@Param('id') id: string, @ReaderLanguage() language: string): Promise<CustomerDetailResponse> {
    const found = isUuid(id) ? await this.customerReader.find(toInstallationId(id)) : undefined;
    if (found === undefined) {
      throw installationNotFound();
    }
    const { connectionProblem, erp } = found;
    return {
      ...found,
      connectionProblem: connectionProblem === null ? null : localize(language, connectionProblem).text,
      erp: erp && { ...erp, problem: erp.problem === null ? null : localizeProblem(language, erp.problem) },
    };
  }

  @Put(':id/pause')
  @ApiOperation({
    summary: 'Pause a customer',
    description:
      'Holds exports and requests for new ones. A job that is held ten minutes before its end gets a failed verdict with the reason.',
  })
  @HttpCode(204)
  @Access('operator')
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'there is no such installation, or it was uninstalled' })
  async pause(@Param('id') id: string, @Body() { reason }: PauseRequest): Promise<void> {
    if (!isUuid(id) || !(await this.pauseCustomer.pause(toInstallationId(id), reason))) {
      throw installationNotFound();
    }
  }

  @Delete(':id/pause')
  @ApiOperation({ summary: 'Resume a customer', description: 'Exports that were held go on at once.' })
  @HttpCode(204)
  @Access('operator')
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'there is no such installation' })
  async resume(@Param('id') id: string): Promise<void> {
    if (!isUuid(id) || !(await this.pauseCustomer.resume(toInstallationId(id)))) {
      throw installationNotFound();
    }
  }

  @Post(':id/jobs/:jobId/retry')
  @ApiOperation({
    summary: 'Retry an export job at once',
    description: 'Makes a postponed job due now. One that runs goes on; one of a paused customer waits all the same.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('operator')
  @ApiAcceptedResponse()
  @ApiNotFoundResponse({ description: 'there is no such export job' })
  @ApiConflictResponse({ description: 'the export job has ended' })
  async retry(@Param('id') id: string, @Param('jobId') jobId: string): Promise<void> {
    if (!isUuid(id) || !isUuid(jobId)) {
      throw jobNotFound();
    }
    successOf(await this.retryJob.retry(toInstallationId(id), toExportJobId(jobId)), ['due'], RETRY_JOB);
  }
}
