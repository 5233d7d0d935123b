import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { SubscriptionReader } from '../../installations/subscription/subscription.reader.js';
import { ChangeSubscription } from '../../installations/subscription/change-subscription.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { SubscriptionRequest, SubscriptionResponse } from './subscription.dto.js';

@ApiTags('Connection')
@ApiBearerAuth()
@Controller('api/v1/subscription')
export class SubscriptionController {
  constructor(
    private readonly subscriptionReader: SubscriptionReader,
    private readonly changeSubscription: ChangeSubscription,
  ) {}

  /** The platform's subscription: what we want of it, and what the platform has confirmed. 404 before there is one. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: SubscriptionResponse })
  async read(@Caller() caller: Principal): Promise<SubscriptionResponse> {
    const subscription = await this.subscriptionReader.summary(caller.installationId);
    if (subscription === undefined) {
      throw notSubscribed();
    }
    return subscription;
  }

  /** Switches the notifications on or off. The platform is told in the background: watch `confirmedStatus`. */
  @Put()
  @HttpCode(202)
  @Access('admin')
  @ApiAcceptedResponse({ type: SubscriptionResponse })
  async setStatus(
    @Caller() caller: Principal,
    @Body() { status }: SubscriptionRequest,
  ): Promise<SubscriptionResponse> {
    if (!(await this.changeSubscription.setWantedStatus(caller.installationId, status))) {
      throw notSubscribed();
    }
    return this.read(caller);
  }

  /** Gets a new signing secret in the background. The one before is accepted for 24 hours more. */
  @Post('secret-rotation')
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

function notSubscribed(): Problem {
  const detail = 'Nothing is subscribed yet: the connection is not finished.';
  return new Problem({ status: 404, type: 'not-found', detail });
}
