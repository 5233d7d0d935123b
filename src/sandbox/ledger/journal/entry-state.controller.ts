import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { shape } from '../../../foundation/http/shape.js';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { optionalDay } from '../http/field.js';
import { documentedSchema } from '../http/documented-schema.js';
import { parsedBody } from '../http/parsed-body.js';
import type { PostedEntry } from './domain/posting-outcome.js';
import { MAX_GROUPS } from './postings/posting-group.schema.js';
import { PostDrafts, type PostDraftOutcome } from './postings/post-drafts.js';
import { ReverseEntry } from './reverse-entry.js';

const postDraftsSchema = z.strictObject({
  entryIds: z
    .array(z.uuid().toLowerCase())
    .min(1)
    .max(MAX_GROUPS)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each entry once'),
});

/** Body of a reversal; may be empty. */
class ReversalDto extends shape({
  /** Posting date of the reversal; the entry's own when absent. A closed period moves it to the next open day. */
  postingDate: optionalDay(),
}) {}

/** State changes of an entry: a draft is posted, a posted entry reversed. */
@CompanyRoutes('journal')
@Controller('companies/:companyId')
export class EntryStateController {
  constructor(
    private readonly postDrafts: PostDrafts,
    private readonly reverseEntry: ReverseEntry,
  ) {}

  @Post('journal-entries::post')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(postDraftsSchema) })
  @ApiOkResponse({
    description: 'One outcome per entry, in order: posted, already-posted, absent or refused.',
  })
  async post(
    @Param('companyId') companyId: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcomes: readonly PostDraftOutcome[] }> {
    const { entryIds } = parsedBody(postDraftsSchema, body);
    return { outcomes: await this.postDrafts.postDrafts(companyId, entryIds) };
  }

  @Post('journal-entries/:entryId/reversal')
  @HttpCode(200)
  @ApiOkResponse({
    description:
      'The reversal of a posted entry; null for a draft, which is discarded. 409 when it is already cancelled.',
  })
  async reverse(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
    @Body() body: ReversalDto,
  ): Promise<{ readonly reversal: PostedEntry | null }> {
    const reversal = await this.reverseEntry.reverseEntry(companyId, entryId.toLowerCase(), body.postingDate);
    return { reversal: reversal ?? null };
  }
}
