import { Controller, Get, Query } from '@nestjs/common';
import { ControlApi } from '../access/access-rules.js';
import { DeliveryReader } from '../deliveries/delivery.reader.js';
import type { DeliveryRecord } from '../deliveries/delivery.repository.js';
import { RequestLog } from '../request-log/request-log.js';
import { badParameter } from '../wire/api-error.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The logs of requests and of notifications. */
@ControlApi()
@Controller('control')
export class ControlLogController {
  constructor(
    private readonly requestLog: RequestLog,
    private readonly deliveryReader: DeliveryReader,
  ) {}

  /** Oldest first; `after` is the id of the last request seen. */
  @Get('requests')
  async requests(@Query() query: QueryParameters): Promise<object> {
    const requests = await this.requestLog.read(wholeNumber(query, 'after') ?? 0, limitOf(query));
    return { requests, next: requests.at(-1)?.id ?? null };
  }

  /** Newest first, each with its attempts. */
  @Get('deliveries')
  async deliveryLog(@Query() query: QueryParameters): Promise<readonly DeliveryRecord[]> {
    const company = queryValue(query, 'company_id');
    const companyId = company === undefined ? undefined : parseUuid('company_id', company);
    return this.deliveryReader.log(companyId, limitOf(query));
  }
}

function limitOf(query: QueryParameters): number {
  return Math.min(wholeNumber(query, 'limit') ?? DEFAULT_LIMIT, MAX_LIMIT);
}

function wholeNumber(query: QueryParameters, name: string): number | undefined {
  const text = queryValue(query, name);
  if (text !== undefined && !/^\d{1,15}$/.test(text)) {
    throw badParameter(`${name}: is not a whole number of 0 or more`);
  }
  return text === undefined ? undefined : Number(text);
}
