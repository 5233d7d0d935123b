import { z } from 'zod';

const MAX_ACTIVE = 100_000;
const MAX_SEED = 2_147_483_647;
const MAX_GRACE_SECONDS = 86_400;

/** Behavior of the whole simulator that /control can change. */
export const settingsSchema = z
  .object({
    retrySchedule: z.enum(['nine_attempts', 'eight_attempts']),
    /** Largest share of a delay, in percent, by which an attempt comes earlier or later. */
    retryJitterPercent: z.int().min(0).max(50),
    retryJitterSeed: z.int().min(0).max(MAX_SEED),
    /** Whose clock signs notifications: receivers compare with their own, which nobody moves. */
    webhookTime: z.enum(['system', 'simulator']),
    /** Which moment `webhook-timestamp` is: of the attempt, or of the event that the message tells of. */
    webhookTimestamp: z.enum(['attempt', 'generation']),
    /** Whether the three headers also stand in the body, beside `payload` (P2.3, readings B and C). */
    webhookBody: z.enum(['payload', 'headers_and_payload']),
    /** What a refresh does to the refresh token it was made with, and a second use of that one to the family. */
    refreshRotation: z.enum(['none', 'grace', 'strict', 'family']),
    /** How long a used refresh token goes on working with `grace`. */
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
