import { z } from 'zod';
import { exportJobSchema, uuid, type PlatformExportJob } from './platform.schema.js';

/** A job of a list, or the reason why it cannot be read; its id as far as that can be. */
export type ListedJob =
  { readonly job: PlatformExportJob } | { readonly id: string | undefined; readonly unreadable: string };

const MAX_PROBLEMS = 5;

/** Takes every element: one job that the platform gives in another shape must not keep the others from being exported. */
export const listedJobSchema = z.unknown().transform((element): ListedJob => {
  const parsed = exportJobSchema.safeParse(element);
  if (parsed.success) {
    return { job: parsed.data };
  }
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS);
  return {
    id: z.object({ id: uuid }).safeParse(element).data?.id,
    unreadable: problems.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  };
});
