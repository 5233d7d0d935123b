import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { storableText } from '../../kernel/text.js';
import { HANDLED_EVENT_TYPES } from './domain/notification-state.js';

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const realUuid = z.guid().refine((text) => text !== NIL_UUID, 'is the nil UUID');

/** A text that the database takes, so that a message with another one is kept as malformed. */
const name = z
  .string()
  .min(1)
  .max(128)
  .refine((text) => text === storableText(text));

const isHandled = (type: string) => HANDLED_EVENT_TYPES.includes(type);

/** The parts of a message that are used. All facts are read from the platform; the message only triggers that. */
const handledSchema = z.object({
  eventId: name,
  eventType: name.refine(isHandled),
  data: z.object({ companyId: realUuid, id: realUuid.optional() }).loose(),
});

/** Of other events the platform does not say what their data is. They are ignored, so that nothing has to be in it. */
const ignoredSchema = z.object({
  eventId: name,
  eventType: name.refine((type) => !isHandled(type)),
  data: z
    .custom((data) => data !== undefined)
    .transform((data) => {
      const { companyId, id } = Object(data) as Readonly<Record<string, unknown>>;
      return { companyId: realUuid.safeParse(companyId).data, id: realUuid.safeParse(id).data };
    }),
});

const notificationSchema = z.union([handledSchema, ignoredSchema]);

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
