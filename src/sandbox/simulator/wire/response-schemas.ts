// Parts of the schemas of responses.
import { z } from 'zod';

export const uuidResponseField = z.string().meta({ format: 'uuid' });
export const instantResponseField = z.string().meta({ format: 'date-time' });
const texts = z.array(z.string());

/** The pagination object of a list (P0.2). */
const paginationResponseSchema = z.object({
  currentRequestPagination: z.object({
    parameters: z.record(z.string(), texts),
    after: z.string().optional(),
    before: z.string().optional(),
    limit: z.number(),
    offset: z.number().optional(),
    sortingKeys: texts,
    sortingOrder: texts,
  }),
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
  startCursor: z.string().optional(),
  endCursor: z.string().optional(),
  total: z.number(),
});

/** One resource in its envelope (P0.1). */
export function dataOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: schema });
}

/** One page of a list in its envelope. */
export function pageOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: z.array(schema), pagination: paginationResponseSchema });
}
