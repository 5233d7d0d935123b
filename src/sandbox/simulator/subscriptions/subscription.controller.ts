import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  EmptyResponse,
  JsonResponse,
  JsonBody,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { distinctQueryList, parseBody, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeSubscription } from './change-subscription.js';
import { SubscriptionReader } from './subscription.reader.js';
import { ACTIVITY_COLUMNS, SUBSCRIPTION_COLUMNS, SubscriptionRepository } from './subscription.repository.js';
import {
  activityResponseSchema,
  newSubscriptionResponseSchema,
  subscriptionResponseSchema,
  subscriptionExtras,
  subscriptionRequestSchema,
  subscriptionWire,
  type Subscription,
} from './subscription.js';

/** Webhook subscriptions (P2.1). No scope of their own. */
@PlatformApi('subscriptions')
@Controller('v1/subscriptions')
export class SubscriptionController {
  constructor(
    private readonly changeSubscription: ChangeSubscription,
    private readonly subscriptionReader: SubscriptionReader,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly readPage: ReadPage,
  ) {}

  @Get()
  @OptionalQuery('status')
  @OptionalQuery('event_types', { type: 'array', uniqueItems: true, items: { type: 'string' } })
  @PagingParameters(SUBSCRIPTION_COLUMNS)
  @JsonResponse(pageOf(subscriptionResponseSchema))
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const filter = { status: queryValue(query, 'status'), eventTypes: distinctQueryList(query, 'event_types') };
    return this.readPage.respond(query, this.subscriptionRepository.listOf(caller, filter), wholeWire);
  }

  /** Answers 200, with `endpointAuth` and `customHeaders` beside `data`: one of the two documented layouts (P2.1). */
  @Post()
  @HttpCode(200)
  @JsonBody(subscriptionRequestSchema)
  @JsonResponse(newSubscriptionResponseSchema)
  async create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const created = await this.changeSubscription.create(caller, parseBody(subscriptionRequestSchema, body));
    return { data: subscriptionWire(created), ...subscriptionExtras(created) };
  }

  @Get(':id')
  @ErrorResponses(404)
  @JsonResponse(dataOf(subscriptionResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return { data: wholeWire(await this.subscriptionReader.find(caller, id)) };
  }

  @Put(':id')
  @JsonBody(subscriptionRequestSchema)
  @ErrorResponses(404)
  @JsonResponse(dataOf(subscriptionResponseSchema))
  async update(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: unknown): Promise<object> {
    const request = parseBody(subscriptionRequestSchema, body);
    return { data: wholeWire(await this.changeSubscription.update(caller, id, request)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ErrorResponses(404)
  @EmptyResponse(204)
  async remove(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.changeSubscription.remove(caller, id);
  }

  @Get(':id/secret')
  @ErrorResponses(404)
  @JsonResponse(dataOf(z.object({ secretKey: z.string() })))
  async secret(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return { data: { secretKey: (await this.subscriptionReader.find(caller, id)).secret } };
  }

  @Get(':id/activities')
  @OptionalQuery('operation_types', { type: 'array', items: { type: 'string' } })
  @PagingParameters(ACTIVITY_COLUMNS)
  @ErrorResponses(404)
  @JsonResponse(pageOf(activityResponseSchema))
  async activities(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: QueryParameters,
  ): Promise<object> {
    return this.subscriptionReader.activities(caller, id, query);
  }
}

function wholeWire(subscription: Subscription): object {
  return { ...subscriptionWire(subscription), ...subscriptionExtras(subscription) };
}
