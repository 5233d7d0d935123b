import { z } from 'zod';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';
import { distinctList, keyField, textField, uuidField } from '../wire/request-fields.js';
import { wireTime } from '../wire/wire-time.js';

const MAX_IN_BULK = 100;
const MAX_FILTERED = 10_000;
const MAX_DIMENSIONS = 100;

export interface Tag {
  readonly id: string;
  readonly companyId: string;
  readonly groupId: string;
  readonly name: string | null;
  readonly code: string;
  readonly archived: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Body of a creation and of an update (P7, P13). */
export const tagRequestSchema = z.object({
  archived: z.boolean(),
  code: keyField,
  name: textField.nullish(),
  /** For the dimensions besides name and code, in display order; more values than dimensions are ignored. */
  otherDimensionValues: z.array(textField).max(MAX_DIMENSIONS).nullish(),
});
export type TagRequest = z.output<typeof tagRequestSchema>;

export const bulkTagSchema = z.object({
  companyId: uuidField,
  tagIds: distinctList(uuidField, MAX_IN_BULK).min(1),
});
export const bulkArchiveSchema = bulkTagSchema.extend({ archived: z.boolean() });

/** Unset, null and empty filters filter nothing, except that archived tags are left out unless requested. */
export const tagSearchSchema = z.object({
  archived: z.boolean().nullish(),
  includeArchived: z.boolean().nullish(),
  tagGroupIds: distinctList(uuidField, MAX_FILTERED).nullish(),
  tagIds: distinctList(uuidField, MAX_FILTERED).nullish(),
  textSearch: textField.nullish(),
});

export interface TagSearch {
  readonly companyIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly tagIds: readonly string[];
  /** Null: both. */
  readonly archived: boolean | null;
  /** Part of the name, in any case. */
  readonly text: string;
}

export type TagFilter = z.output<typeof tagSearchSchema>;

/** @param companyIds where to search */
export function tagSearchOf(companyIds: readonly string[], body: TagFilter): TagSearch {
  return {
    companyIds,
    groupIds: body.tagGroupIds ?? [],
    tagIds: body.tagIds ?? [],
    archived: body.archived ?? (body.includeArchived === true ? null : false),
    text: body.textSearch ?? '',
  };
}

export const tagResponseSchema = z.object({
  id: uuidResponseField,
  groupId: uuidResponseField,
  name: z.string().optional(),
  code: z.string(),
  archived: z.boolean(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});

/** Tag of P7. */
export function tagWire(tag: Tag): object {
  const { id, groupId, name, code, archived, createdAt, updatedAt } = tag;
  return {
    id,
    groupId,
    ...(name === null ? {} : { name }),
    code,
    archived,
    createdAt: wireTime(createdAt),
    updatedAt: wireTime(updatedAt),
  };
}
