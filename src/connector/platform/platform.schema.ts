// Wire shapes of the Integration API, as tolerant as its versioning asks: unknown fields are dropped, unknown enum
// values stay text. Written from the specification alone; the simulator has its own.
import { z } from 'zod';

const instant = z.string().transform((text, context) => {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    context.addIssue({ code: 'custom', message: 'is not a date-time' });
    return z.NEVER;
  }
  return date;
});

/** In lower case, as PostgreSQL gives them back: two spellings would be two keys. */
export const uuid = z.guid().transform((text) => text.toLowerCase());

const pagination = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

export const page = <T extends z.ZodType>(element: T) => z.object({ data: z.array(element).max(1_000), pagination });
export const single = <T extends z.ZodType>(element: T) => z.object({ data: element });

export const exportJobSchema = z.object({
  id: uuid,
  companyId: uuid,
  status: z.string(),
  vendorBasedBookkeeping: z.boolean().nullish(),
  numberOfItems: z.int().nonnegative(),
  createdAt: instant,
  lastUpdatedAt: instant.nullish(),
  expiresIn: z.int().nonnegative(),
  failureReason: z.string().nullish(),
  failureReasonType: z.string().nullish(),
});
export type PlatformExportJob = z.output<typeof exportJobSchema>;

export const jobItemSchema = z.object({
  accountingEntryId: uuid,
  status: z.string(),
  externalId: z.string().nullish(),
  externalUrl: z.string().nullish(),
  failureReason: z.string().nullish(),
  failureReasonType: z.string().nullish(),
});
export type PlatformJobItem = z.output<typeof jobItemSchema>;

export const itemUpdateResponseSchema = z.object({
  data: z.array(z.object({ accountingEntryId: z.guid(), status: z.string() })),
  // What says that results were refused must not discard those that were accepted, for want of a text.
  errors: z.array(
    z.object({
      accountingEntryId: z.string(),
      message: z
        .string()
        .nullish()
        .transform((message) => message ?? ''),
      type: z.string(),
    }),
  ),
});
export type ItemUpdateResponse = z.output<typeof itemUpdateResponseSchema>;

export const subscriptionSchema = z.object({
  id: z.guid(),
  status: z.string(),
  endpointUrl: z.string(),
  // Rendered samples print a single text where the schema says a list.
  eventTypes: z.union([z.array(z.string()), z.string().transform((one) => [one])]),
  deletedAt: z.string().nullish(),
});
export type PlatformSubscription = z.output<typeof subscriptionSchema>;

export const secretSchema = z.object({ secretKey: z.string() });

const installation = z.object({ id: z.guid(), resource: z.string(), status: z.string() });
/** A bare object, unlike every other resource (P3.6); the interface itself says of all responses that they wrap it. */
export const installationSchema = z.union([installation, single(installation).transform(({ data }) => data)]);
export type PlatformInstallation = z.output<typeof installationSchema>;

/** What the current credential is (P3.1, "Introspect the current API credential"). */
export const introspectionSchema = z.object({
  authMethod: z.string(),
  scope: z.string(),
  subjectURN: z.string().nullish(),
});
export type PlatformIntrospection = z.output<typeof introspectionSchema>;

export const companySchema = z.object({
  id: uuid,
  organizationId: uuid.nullish(),
  name: z.string(),
  registrationNumber: z.string().nullish(),
});
export type PlatformCompany = z.output<typeof companySchema>;
