import { Body, Controller, Get, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { ChangeSubscription } from '../../installations/subscription/change-subscription.js';
import { SubscriptionReader } from '../../installations/subscription/subscription.reader.js';
import { notSubscribed } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { WebhookSettings } from './settings.dto.js';

@ApiTags('Settings')
@Controller('api/v1')
export class WebhookSettingsController {
  constructor(
    private readonly subscriptionReader: SubscriptionReader,
    private readonly changeSubscription: ChangeSubscription,
  ) {}

  @Get('webhook-settings')
  @ApiOperation({
    summary: 'Read the webhook settings',
    description: 'How webhooks of the platform are interpreted. 404 before there is a subscription.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: WebhookSettings })
  async readWebhookSettings(@Caller() caller: Principal): Promise<WebhookSettings> {
    const timestampMeaning = await this.subscriptionReader.timestampMeaning(caller.installationId);
    if (timestampMeaning === undefined) {
      throw notSubscribed();
    }
    return { timestampMeaning };
  }

  @Put('webhook-settings')
  @ApiOperation({
    summary: 'Save the webhook settings',
    description: 'Sets how webhooks of the platform are interpreted, from the next message on.',
  })
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  async saveWebhookSettings(@Caller() caller: Principal, @Body() body: WebhookSettings): Promise<void> {
    if (!(await this.changeSubscription.setTimestampMeaning(caller.installationId, body.timestampMeaning))) {
      throw notSubscribed();
    }
  }
}
