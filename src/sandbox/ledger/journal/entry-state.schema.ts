import { ApiPropertyOptional } from '@nestjs/swagger';
import { z } from 'zod';
import { OptionalDay } from '../http/field.js';
import { MAX_GROUPS } from './postings/posting-group.schema.js';

export const postDraftsSchema = z.strictObject({
  entryIds: z
    .array(z.uuid().toLowerCase())
    .min(1)
    .max(MAX_GROUPS)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each entry once'),
});

/** Body of a reversal; may be empty. */
export class ReversalDto {
  /** Posting date of the reversal; the entry's own when absent. A closed period moves it to the next open day. */
  @ApiPropertyOptional({ type: String, format: 'date' })
  @OptionalDay()
  readonly postingDate?: string;
}
