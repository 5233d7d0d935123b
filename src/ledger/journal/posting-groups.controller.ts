import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { documentedSchema } from '../http/documented-schema.js';
import { Database } from '../../foundation/database/database.js';
import { Problem } from '../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import type { PostingGroup } from './domain/posting-group.js';
import type { PostedEntry, PostingOutcome } from './domain/posting-outcome.js';
import { PostGroups } from './post-groups.js';
import {
  documentedPostRequest,
  lookupRequestSchema,
  postingGroupSchema,
  postRequestSchema,
} from './posting-group.schema.js';
import { PostingRepository } from './posting.repository.js';

interface FoundGroup {
  readonly key: string;
  readonly outcome: 'found' | 'absent';
  readonly contentDigest: string | null;
  readonly entries: readonly PostedEntry[];
}

@ApiTags('journal')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId')
export class PostingGroupsController {
  constructor(
    private readonly database: Database,
    private readonly postGroups: PostGroups,
    private readonly postings: PostingRepository,
  ) {}

  @Post('posting-groups')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(documentedPostRequest) })
  @ApiOkResponse({ description: 'One outcome per group, in order: created, existed, refused or conflict.' })
  async post(
    @Param('companyId') companyId: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcomes: readonly PostingOutcome[] }> {
    const request = parsed(postRequestSchema, body);
    const checked = request.groups.map((group) => checkShape(group));
    const wellShaped = checked.filter((group): group is PostingGroup => !('outcome' in group));
    const posted = (await this.postGroups.run(companyId, wellShaped)).values();
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
    const { keys } = parsed(lookupRequestSchema, body);
    const found = await this.database.inTransaction('journal.lookup', (tx) =>
      this.postings.findGroups(tx, companyId, keys),
    );
    const data = keys.map((key): FoundGroup => {
      const group = found.get(key);
      return group === undefined
        ? { key, outcome: 'absent', contentDigest: null, entries: [] }
        : { key, outcome: 'found', contentDigest: group.contentDigest, entries: group.entries };
    });
    return { data };
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

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (!result.success) {
    throw new Problem({
      status: 400,
      type: 'invalid-request',
      detail: 'Some values of the request are not valid; "errors" names each of them.',
      errors: result.error.issues.map((issue) => ({ pointer: pointerOf(issue.path), detail: issue.message })),
    });
  }
  return result.data;
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
