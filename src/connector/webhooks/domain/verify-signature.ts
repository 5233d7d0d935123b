// Standard Webhooks 1.0.0, stricter than its reference library: over raw bytes, with an exact header grammar, in both
// directions of time (F10; docs/rules/bad-inputs.md, "Signature vectors").
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** What the platform means by `webhook-timestamp`; a setting of each subscription (F2). */
export type TimestampMeaning = 'attempt' | 'generation';

export interface SignedNotification {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** The body exactly as received. */
  readonly body: Buffer;
}

export type Verification =
  | { readonly verified: true; readonly webhookId: string }
  /** `stale`: correctly signed but too old or too new, so the platform should be polled. */
  | { readonly verified: false; readonly stale: boolean };

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIMESTAMP = /^[0-9]{10}$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
const MAX_SIGNATURE_HEADER_LENGTH = 4_096;
const MAX_SIGNATURES = 8;
const TOLERANCE_SECONDS = 300;
/** The whole retry schedule with its jitter, and the tolerance: 33 h 12 min. */
const GENERATION_TOLERANCE_SECONDS = 119_520;

/**
 * Checks one message against the subscription's secrets.
 * @param keys of the current secret and, during a rotation, of the previous one
 * @param nowSeconds our time, Unix seconds
 */
export function verifySignature(
  message: SignedNotification,
  keys: readonly KeyObject[],
  meaning: TimestampMeaning,
  nowSeconds: number,
): Verification {
  const { id, timestamp, signature } = message;
  if (id === undefined || !ID.test(id) || timestamp === undefined || !TIMESTAMP.test(timestamp)) {
    return { verified: false, stale: false };
  }
  const given = signaturesOf(signature);
  const expected = keys.map((key) => sign(key, id, timestamp, message.body));
  // Every pair is compared, so that the duration reveals nothing about which one matched.
  const matches = expected.flatMap((mac) => given.map((candidate) => timingSafeEqual(mac, candidate)));
  if (!matches.includes(true)) {
    return { verified: false, stale: false };
  }
  const age = nowSeconds - Number(timestamp);
  const oldest = meaning === 'attempt' ? TOLERANCE_SECONDS : GENERATION_TOLERANCE_SECONDS;
  return age <= oldest && age >= -TOLERANCE_SECONDS
    ? { verified: true, webhookId: id }
    : { verified: false, stale: true };
}

/** The decoded `v1` signatures of the header; other versions and malformed ones are ignored. */
function signaturesOf(header: string | undefined): readonly Buffer[] {
  if (header === undefined || header.length > MAX_SIGNATURE_HEADER_LENGTH) {
    return [];
  }
  return header
    .split(' ', MAX_SIGNATURES)
    .map((entry) => SIGNATURE.exec(entry)?.[1])
    .filter((encoded) => encoded !== undefined)
    .map((encoded) => Buffer.from(encoded, 'base64'));
}

function sign(key: KeyObject, id: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`, 'utf8').update(body).digest();
}
