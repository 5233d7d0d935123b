import { z } from 'zod';
import { dataOf, instantResponseField, uuidResponseField } from '../wire/response-schemas.js';
import { metadataField, textField } from '../wire/request-fields.js';
import { wireTime } from '../wire/wire-time.js';

export interface TagGroup {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly code: string;
  readonly archived: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Body of an update (P7): all fields are required. */
export const tagGroupUpdateSchema = z.object({
  archived: z.boolean(),
  code: textField.min(1),
  metadata: metadataField,
  name: textField.min(1),
});
export type TagGroupUpdate = z.output<typeof tagGroupUpdateSchema>;

/** Body of a creation (P7): without the metadata it is the same. */
export const newTagGroupSchema = tagGroupUpdateSchema.extend({
  metadata: metadataField.nullish().transform((metadata) => metadata ?? {}),
});

export const tagGroupResponseSchema = z.object({
  id: uuidResponseField,
  companyId: uuidResponseField,
  name: z.string(),
  code: z.string(),
  archived: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});
export const tagGroupsResponseSchema = dataOf(
  z.array(tagGroupResponseSchema.extend({ totalTagsCount: z.number().optional() })),
);
export const tagUsageResponseSchema = dataOf(
  z.object({ usages: z.array(z.object({ id: uuidResponseField, count: z.number() })) }),
);

/** Tag group of P7. */
export function tagGroupWire(group: TagGroup): object {
  const { id, companyId, name, code, archived, metadata, createdAt, updatedAt } = group;
  return {
    id,
    companyId,
    name,
    code,
    archived,
    metadata,
    createdAt: wireTime(createdAt),
    updatedAt: wireTime(updatedAt),
  };
}
