// Fields that the requests for failure switches of routes and of notifications share.
import { z } from 'zod';
import { badParameter } from '../wire/api-error.js';

const MAX_SKIPPED = 1_000_000;
const MAX_SEED = 2_147_483_647;

/** When a switch acts: `failures/domain/switch-plan.ts`. */
export const planFields = {
  skip: z.int().min(0).max(MAX_SKIPPED).default(0),
  percent: z.int().min(1).max(100).default(100),
  seed: z.int().min(0).max(MAX_SEED).default(1),
  times: z.int().min(1).nullable().default(null),
};

/** @throws ApiError 400 */
export function switchNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw badParameter('id: is not the number of a switch');
  }
  return Number(text);
}
