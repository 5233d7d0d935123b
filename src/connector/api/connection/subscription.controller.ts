import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { notSubscribed } from '../http/outcome-problems.js';
import { SubscriptionReader } from '../../installations/subscription/subscription.reader.js';
import { ChangeSubscription } from '../../installations/subscription/change-subscription.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { SubscriptionRequest, SubscriptionResponse } from './subscription.dto.js';

@ApiTags('Connection')
@Controller('api/v1/subscription')
export class SubscriptionController {
  constructor(
    private readonly subscriptionReader: SubscriptionReader,
    private readonly changeSubscription: ChangeSubscription,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the subscription',
    description: 'The subscription at the platform: the wanted and the confirmed status. 404 before there is one.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SubscriptionResponse })
  async read(@Caller() caller: Principal): Promise<SubscriptionResponse> {
    const subscription = await this.subscriptionReader.summary(caller.installationId);
    if (subscription === undefined) {
      throw notSubscribed();
    }
    return subscription;
  }

  @Put()
  @ApiOperation({
    summary: 'Switch notifications on or off',
    description:
      'Switches the notifications on or off. The platform is updated in the background: see `confirmedStatus`.',
  })
  @HttpCode(202)
  @Access('admin')
  @RecentSignIn()
  @ApiAcceptedResponse({ type: SubscriptionResponse })
  async setStatus(@Caller() caller: Principal, @Body() { status }: SubscriptionRequest): Promise<SubscriptionResponse> {
    if (!(await this.changeSubscription.setWantedStatus(caller.installationId, status))) {
      throw notSubscribed();
    }
    return this.read(caller);
  }

  @Post('secret-rotation')
  @ApiOperation({
    summary: 'Rotate the signing secret',
    description: 'Rotates the signing secret in the background. The previous one is accepted for 24 hours more.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('admin')
  @RecentSignIn()
  @ApiAcceptedResponse({ type: SubscriptionResponse })
  async rotate(@Caller() caller: Principal): Promise<SubscriptionResponse> {
    if (!(await this.changeSubscription.rotateSecret(caller.installationId))) {
      throw notSubscribed();
    }
    return this.read(caller);
  }
}
