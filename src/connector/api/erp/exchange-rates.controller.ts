import { Body, Controller, Get, Headers, Put, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiHeader,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { StoreRates } from '../../erp-connections/rates/store-rates.js';
import type { RateTable } from '../../erp-connections/rates/rate-table.repository.js';
import { ReadErpConnection } from '../../erp-connections/read-erp-connection.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { expectedVersionOf, IF_MATCH, setEtag } from '../http/if-match.js';
import { STORE_RATES, successOf } from '../http/outcome-problems.js';
import { notFound } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { ExchangeRatesRequest, ExchangeRatesResponse } from './exchange-rates.dto.js';

/** The file's text, and what JSON adds to it. */
const BODY_BYTES = 2_200_000;

@ApiTags('ERP connection')
@Controller('api/v1/exchange-rates')
export class ExchangeRatesController {
  constructor(
    private readonly storeRates: StoreRates,
    private readonly readErpConnection: ReadErpConnection,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the exchange rates',
    description:
      'The exchange rates that were uploaded for an accounting system that has none. 404 before the first upload.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ExchangeRatesResponse })
  @ApiNotFoundResponse({ description: 'no rates were uploaded' })
  async read(
    @Caller() { installationId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExchangeRatesResponse> {
    const table = await this.storeRates.find(installationId);
    if (table === undefined) {
      throw notFound(message('problem.not-found.exchange-rates'));
    }
    return this.respond(reply, installationId, table);
  }

  @Put()
  @ApiOperation({
    summary: 'Upload exchange rates',
    description:
      'Uploads exchange rates, in the place of all before, for an accounting system that has none. `If-Match` is "0" for the first upload.',
  })
  @RouteConfig({ bodyLimit: BODY_BYTES })
  @Access('admin')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ExchangeRatesResponse })
  @ApiUnprocessableEntityResponse({ description: 'a line of the file is wrong; nothing was changed' })
  async keep(
    @Caller() { installationId, name }: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() { csv }: ExchangeRatesRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExchangeRatesResponse> {
    const stored = await this.storeRates.store(installationId, expectedVersionOf(ifMatch), csv, name);
    return this.respond(reply, installationId, successOf(stored, ['stored'], STORE_RATES).table);
  }

  private async respond(
    reply: FastifyReply,
    installationId: InstallationId,
    { version, rates, uploadedBy, uploadedAt }: RateTable,
  ): Promise<ExchangeRatesResponse> {
    const days = rates.map(({ date }) => date).toSorted();
    const connected = await this.readErpConnection.read(installationId);
    setEtag(reply, version);
    return {
      version,
      inUse: connected?.capabilities?.rates === false,
      numberOfRates: rates.length,
      from: days[0] ?? null,
      to: days.at(-1) ?? null,
      csv: ['date,from,to,rate', ...rates.map(({ date, from, to, rate }) => [date, from, to, rate].join(','))]
        .map((line) => `${line}\n`)
        .join(''),
      uploadedBy,
      uploadedAt,
    };
  }
}
