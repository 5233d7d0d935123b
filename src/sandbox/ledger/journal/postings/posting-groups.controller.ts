import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../../foundation/database/database.js';
import { CompanyGuard } from '../../access/company.guard.js';
import { documentedSchema } from '../../http/documented-schema.js';
import { parsedBody, pointerOf } from '../../http/parsed-body.js';
import type { PostingGroup } from '../domain/posting-group.js';
import type { PostedEntry, PostingOutcome, PostingWarning } from '../domain/posting-outcome.js';
import { PostGroups } from './post-groups.js';
import {
  documentedPostRequest,
  lookupRequestSchema,
  postingGroupSchema,
  postRequestSchema,
  reverseRequestSchema,
  settleRequestSchema,
} from './posting-group.schema.js';
import { PostingRepository } from './posting.repository.js';
import { ReverseGroups, type ReverseOutcome } from '../reverse-groups.js';
import { SettleGroups, type SettleOutcome } from '../settlements/settle-groups.js';

interface FoundGroup {
  readonly key: string;
  readonly outcome: 'found' | 'absent';
  readonly contentDigest: string | null;
  readonly revision: number | null;
  /** Nothing of it is in the balances any more. */
  readonly reversed: boolean;
  readonly entries: readonly PostedEntry[];
  readonly warnings: readonly PostingWarning[];
}

const ABSENT = {
  outcome: 'absent',
  contentDigest: null,
  revision: null,
  reversed: false,
  entries: [],
  warnings: [],
} as const;

@ApiTags('journal')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId')
export class PostingGroupsController {
  constructor(
    private readonly database: Database,
    private readonly postGroups: PostGroups,
    private readonly postingRepository: PostingRepository,
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
    const found = await this.database.inTransaction('journal.lookup', async (tx) =>
      this.postingRepository.findGroups(tx, companyId, keys, {
        minAgeSeconds: await this.postingRepository.searchLag(tx, companyId),
      }),
    );
    const data = keys.map((key): FoundGroup => {
      const group = found.get(key);
      if (group === undefined) {
        return { key, ...ABSENT };
      }
      const { contentDigest, revision, reversed, entries, warnings } = group;
      return { key, outcome: 'found', contentDigest, revision, reversed, entries, warnings };
    });
    return { data };
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
