import { z } from 'zod';
import { optionalDay } from '../http/field.js';
import { shape } from '../../../foundation/http/shape.js';
import { MAX_GROUPS } from './postings/posting-group.schema.js';

export const postDraftsSchema = z.strictObject({
  entryIds: z
    .array(z.uuid().toLowerCase())
    .min(1)
    .max(MAX_GROUPS)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each entry once'),
});

/** Body of a reversal; may be empty. */
export class ReversalDto extends shape({
  /** Posting date of the reversal; the entry's own when absent. A closed period moves it to the next open day. */
  postingDate: optionalDay(),
}) {}
