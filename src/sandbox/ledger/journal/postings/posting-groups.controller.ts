import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { documentedSchema } from '../../http/documented-schema.js';
import { parsedBody, pointerOf } from '../../http/parsed-body.js';
import type { PostingGroup } from '../domain/posting-group.js';
import type { PostingOutcome } from '../domain/posting-outcome.js';
import { PostGroups } from './post-groups.js';
import { PostingGroupReader, type FoundGroup } from './posting-group.reader.js';
import {
  documentedPostRequest,
  lookupRequestSchema,
  postingGroupSchema,
  postRequestSchema,
  reverseRequestSchema,
  settleRequestSchema,
} from './posting-group.schema.js';
import { ReverseGroups, type ReverseOutcome } from '../reverse-groups.js';
import { SettleGroups, type SettleOutcome } from '../settlements/settle-groups.js';

@CompanyRoutes('journal')
@Controller('companies/:companyId')
export class PostingGroupsController {
  constructor(
    private readonly postGroups: PostGroups,
    private readonly postingGroupReader: PostingGroupReader,
    private readonly reverseGroups: ReverseGroups,
    private readonly settleGroups: SettleGroups,
  ) {}

  @Post('posting-groups')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(documentedPostRequest) })
  @ApiOkResponse({ description: 'One outcome per group, in order: created, existed, refused or conflict.' })
  async post(
    @Param('companyId') companyId: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcomes: readonly PostingOutcome[] }> {
    const request = parsedBody(postRequestSchema, body);
    const checked = request.groups.map((group) => checkShape(group));
    const wellShaped = checked.filter((group): group is PostingGroup => !('outcome' in group));
    const posted = (await this.postGroups.postGroups(companyId, wellShaped)).values();
    const outcomes = checked.flatMap((group) => ('outcome' in group ? group : (posted.next().value ?? [])));
    return { outcomes };
  }

  @Post('posting-groups::lookup')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(lookupRequestSchema) })
  @ApiOkResponse({ description: 'What the books have under each key, in order.' })
  async lookup(
    @Param('companyId') companyId: string,
    @Body() body: unknown,
  ): Promise<{ readonly data: readonly FoundGroup[] }> {
    const { keys } = parsedBody(lookupRequestSchema, body);
    return { data: await this.postingGroupReader.lookUp(companyId, keys) };
  }

  @Post('posting-groups::reverse')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(reverseRequestSchema) })
  @ApiOkResponse({
    description:
      'One outcome per key, in order: reversed, already-reversed, absent or refused. Posted entries get a reversal, drafts are discarded.',
  })
  async reverse(
    @Param('companyId') companyId: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcomes: readonly ReverseOutcome[] }> {
    const { keys, reason } = parsedBody(reverseRequestSchema, body);
    return { outcomes: await this.reverseGroups.reverseGroups(companyId, keys, reason ?? undefined) };
  }

  @Post('posting-groups::settle')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(settleRequestSchema) })
  @ApiOkResponse({
    description:
      'One outcome per key, in order: settled, nothing-to-settle or refused. Settles what the entries were posted to settle and could not at the time.',
  })
  async settle(
    @Param('companyId') companyId: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcomes: readonly SettleOutcome[] }> {
    const { keys, realizedFxAccountCode } = parsedBody(settleRequestSchema, body);
    const options = { realizedFxAccountCode: realizedFxAccountCode ?? undefined };
    return { outcomes: await this.settleGroups.settleGroups(companyId, keys, options) };
  }
}

function checkShape(group: { readonly key: string }): PostingGroup | PostingOutcome {
  const result = postingGroupSchema.safeParse(group);
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const field = pointerOf(issue?.path ?? []);
  return { key: group.key, outcome: 'refused', code: 'malformed', message: issue?.message ?? '', field };
}
