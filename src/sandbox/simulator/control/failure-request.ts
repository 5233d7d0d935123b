import { z } from 'zod';
import { RESPONSE_CHANGES, type NewFailureSwitch } from '../failures/failure-switch.repository.js';
import { planFields } from './switch-request.js';

const MAX_DELAY_MS = 120_000;
const MAX_JUMP_SECONDS = 366 * 86_400;

/** A failure switch of one route, as a request describes it. */
export const failureSchema = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).nullable().default(null),
    path: z.string().startsWith('/'),
    effect: z.enum(['before', 'after']).default('before'),
    status: z.int().min(200).max(599).nullable().default(null),
    retryAfter: z.string().nullable().default(null),
    delayMs: z.int().min(0).max(MAX_DELAY_MS).default(0),
    truncateAt: z.int().min(0).nullable().default(null),
    answer: z.enum(RESPONSE_CHANGES).nullable().default(null),
    jumpSeconds: z.int().min(-MAX_JUMP_SECONDS).max(MAX_JUMP_SECONDS).default(0),
    revokes: z.boolean().default(false),
    ...planFields,
  })
  .transform(({ times, ...fresh }): NewFailureSwitch => ({ ...fresh, timesLeft: times }));
