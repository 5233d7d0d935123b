import { z } from 'zod';

const MAX_ACTIVE = 100_000;
const MAX_SEED = 2_147_483_647;
const MAX_GRACE_SECONDS = 86_400;

/** Behavior of the whole simulator that /control can change. */
export const settingsSchema = z
  .strictObject({
    retrySchedule: z.enum(['nine_attempts', 'eight_attempts']),
    /** Largest share of a delay, in percent, by which an attempt comes earlier or later. */
    retryJitterPercent: z.int().min(0).max(50),
    retryJitterSeed: z.int().min(0).max(MAX_SEED),
    /** Whose clock signs notifications: receivers compare with their own, which does not move. */
    webhookTime: z.enum(['system', 'simulator']),
    /** The moment of `webhook-timestamp`: of the attempt, or of the event in the message. */
    webhookTimestamp: z.enum(['attempt', 'generation']),
    /** Whether the body also contains the three headers, beside `payload` (P2.3, readings B and C). */
    webhookBody: z.enum(['payload', 'headers_and_payload']),
    /** The effect of a refresh on the refresh token it used, and of a second use of that token on its family. */
    refreshRotation: z.enum(['none', 'grace', 'strict', 'family']),
    /** Seconds for which a used refresh token still works with `grace`. */
    refreshGraceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS),
    /** Requests of one credential in a minute before 429; null: no limit. */
    requestsPerMinute: z.int().min(1).nullable(),
    /** Most elements of one page of a list. */
    largestPage: z.int().min(1).max(1_000),
    /** Most tag groups of a company that are not archived. */
    mostActiveTagGroups: z.int().min(1).max(MAX_ACTIVE),
    /** Most tags of a group that are not archived. */
    mostActiveTags: z.int().min(1).max(MAX_ACTIVE),
  })
  .readonly();

export type SimulatorSettings = z.output<typeof settingsSchema>;
