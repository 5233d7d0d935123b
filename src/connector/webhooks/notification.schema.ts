import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { storableText } from '../../kernel/text.js';

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const realUuid = z.uuid().refine((text) => text !== NIL_UUID, 'is the nil UUID');

/** A text that the database takes, so that a message with another one is kept as malformed. */
const name = z
  .string()
  .min(1)
  .max(128)
  .refine((text) => text === storableText(text));

/** The parts of a message that are used. All facts are read from the platform; the message only triggers that. */
const notificationSchema = z.object({
  eventId: name,
  eventType: name,
  data: z.object({ companyId: realUuid, id: realUuid.optional() }).loose(),
});

/** The platform puts the message under `payload`; without it the root is read (P2.3). */
const bodySchema = z.union([
  z.object({ payload: notificationSchema }).transform(({ payload }) => payload),
  notificationSchema,
]);

export type Notification = z.output<typeof notificationSchema>;

/**
 * Reads a verified body.
 * @returns the notification, or a sentence that names what is wrong with the body
 */
export function readNotification(body: Buffer): Notification | string {
  const value = isUtf8(body) ? parseOnce(body.toString()) : undefined;
  if (value === undefined) {
    return 'the body is not one JSON document in UTF-8 without duplicate keys';
  }
  const parsed = bodySchema.safeParse(value);
  return parsed.success
    ? parsed.data
    : 'the body needs payload.eventId, payload.eventType, payload.data.companyId and, where given, a UUID as payload.data.id';
}

/** @returns undefined for what is no JSON; the parser refuses duplicate keys, because two readers could see two different jobs */
function parseOnce(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
