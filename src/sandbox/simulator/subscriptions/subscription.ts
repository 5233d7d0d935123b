import { z } from 'zod';
import { textField } from '../wire/request-fields.js';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';

/** Published event types (P2.2) and the scope their subscriber needs (P2.1). */
export const EVENT_SCOPES = {
  'v1.export-job.created': 'export-jobs:read',
  'v1.vendor.created': 'vendors:read',
} as const;
export type EventType = keyof typeof EVENT_SCOPES;

const eventType = z.enum(['v1.export-job.created', 'v1.vendor.created']);

const credentialsSchema = z.object({
  username: textField.nullish(),
  password: textField.nullish(),
  token: textField.nullish(),
});

/** `type` and each of the credentials may be left out (P2.1); Basic with neither user nor password would be none. */
const endpointAuthSchema = z
  .object({ type: z.enum(['NONE', 'BASIC']).default('NONE'), credentials: credentialsSchema.nullish() })
  .transform(({ type, credentials }, context) => {
    const { username, password } = credentials ?? {};
    if (type === 'NONE') {
      return { type };
    }
    if (username == null && password == null) {
      context.addIssue({ code: 'custom', path: ['credentials'], message: 'has neither username nor password' });
      return z.NEVER;
    }
    return { type, credentials: { username: username ?? '', password: password ?? '' } };
  });

export type EndpointAuth = z.output<typeof endpointAuthSchema>;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;
/** Headers that frame the message or lead the connection: another value would break the delivery. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host', 'http2-settings'],
  ...['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['webhook-id', 'webhook-signature', 'webhook-timestamp'],
]);
const customHeader = z
  .string()
  .regex(headerName)
  .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), 'is a header of the delivery itself');

/** Body of create and update (P2.1). */
export const subscriptionRequestSchema = z.object({
  endpointUrl: z.url({ protocol: /^https?$/ }),
  eventTypes: z
    .array(eventType)
    .min(1)
    .refine((types) => new Set(types).size === types.length, 'must not repeat an event type'),
  status: z
    .enum(['ACTIVE', 'INACTIVE'])
    .nullish()
    .transform((status) => status ?? 'ACTIVE'),
  customHeaders: z.record(customHeader, z.string().regex(headerValue)).nullish(),
  endpointAuth: endpointAuthSchema.nullish(),
});
export type SubscriptionRequest = z.output<typeof subscriptionRequestSchema>;

export interface Subscription {
  readonly id: string;
  readonly applicationId: string;
  /** URN of the company or organization whose events it is for. */
  readonly resource: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly eventTypes: readonly EventType[];
  readonly endpointUrl: string;
  readonly customHeaders: Readonly<Record<string, string>> | null;
  readonly endpointAuth: EndpointAuth | null;
  /** `whsec_` and Base64. */
  readonly secret: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  readonly deletedBy: string | null;
}

const extrasResponseSchema = z.object({
  endpointAuth: z.object({ type: z.enum(['NONE', 'BASIC']) }),
  customHeaders: z.record(z.string(), z.string()),
});
const plainResponseSchema = z.object({
  id: uuidResponseField,
  status: z.enum(['ACTIVE', 'INACTIVE']),
  eventTypes: z.array(eventType),
  endpointUrl: z.string(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
  deletedAt: instantResponseField.optional(),
  deletedBy: z.string().optional(),
});
export const subscriptionResponseSchema = plainResponseSchema.extend(extrasResponseSchema.shape);
/** Of a creation only. */
export const newSubscriptionResponseSchema = extrasResponseSchema.extend({ data: plainResponseSchema });
export const activityResponseSchema = z.object({
  id: uuidResponseField,
  subscriptionId: uuidResponseField,
  operationType: z.enum(['CREATE', 'UPDATE', 'DELETE']),
  actorUrn: z.string(),
  description: z.string(),
  createdAt: instantResponseField,
});

/** The two objects whose position differs between responses; the password is never returned. */
export function subscriptionExtras(subscription: Subscription): object {
  return {
    endpointAuth: { type: subscription.endpointAuth?.type ?? 'NONE' },
    customHeaders: subscription.customHeaders ?? {},
  };
}

/** A subscription without its extras, as the answer to its creation has it inside `data`. */
export function subscriptionWire(subscription: Subscription): object {
  const { id, status, eventTypes, endpointUrl, createdAt, updatedAt, deletedAt, deletedBy } = subscription;
  return {
    id,
    status,
    eventTypes,
    endpointUrl,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(deletedAt === null ? {} : { deletedAt: deletedAt.toISOString(), deletedBy }),
  };
}
