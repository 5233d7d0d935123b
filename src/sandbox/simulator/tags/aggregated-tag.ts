import { z } from 'zod';
import { dataOf, pageOf, uuidResponseField } from '../wire/response-schemas.js';
import { dimensionResponseSchema, dimensionWire, type TagDimension, type TagDimensionValue } from './tag-dimension.js';
import { tagGroupResponseSchema, tagGroupWire, type TagGroup } from './tag-group.js';
import { tagResponseSchema, tagWire, type Tag } from './tag.js';

export const aggregatedGroupsResponseSchema = dataOf(
  z.array(
    tagGroupResponseSchema
      .omit({ metadata: true })
      .extend({ dimensions: z.array(dimensionResponseSchema.omit({ groupId: true })) }),
  ),
);
export const aggregatedTagsResponseSchema = pageOf(
  tagResponseSchema.omit({ groupId: true }).extend({
    companyId: uuidResponseField,
    group: z.object({ id: uuidResponseField, code: z.string(), name: z.string() }),
    dimensions: z.array(
      dimensionResponseSchema.omit({ groupId: true, createdAt: true, updatedAt: true }).extend({ value: z.string() }),
    ),
  }),
);

/**
 * A group with its dimensions, without metadata.
 * @param dimensions of any groups, in display order
 */
export function aggregatedGroupWire(group: TagGroup, dimensions: readonly TagDimension[]): object {
  const own = dimensions.filter((dimension) => dimension.groupId === group.id).map(dimensionWire);
  return {
    ...without(tagGroupWire(group), 'metadata'),
    dimensions: own.map((shown) => without(shown, 'groupId')),
  };
}

/**
 * A tag with its group and its value in each dimension; empty where it has none.
 * @param parts of any tags and groups, dimensions in display order
 */
export function aggregatedTagWire(
  tag: Tag,
  parts: {
    readonly groups: readonly TagGroup[];
    readonly dimensions: readonly TagDimension[];
    readonly values: readonly TagDimensionValue[];
  },
): object {
  const group = parts.groups.find(({ id }) => id === tag.groupId);
  const own = parts.dimensions.filter(({ groupId }) => groupId === tag.groupId);
  const valueOf = (dimensionId: string) =>
    parts.values.find((stored) => stored.tagId === tag.id && stored.dimensionId === dimensionId)?.value ?? '';
  return {
    ...without(tagWire(tag), 'groupId'),
    companyId: tag.companyId,
    group: { id: tag.groupId, code: group?.code ?? '', name: group?.name ?? '' },
    dimensions: own.map(({ id, code, name, displayOrder, visible }) => ({
      id,
      code,
      name,
      displayOrder,
      visible,
      value: valueOf(id),
    })),
  };
}

function without(shown: object, name: string): object {
  return Object.fromEntries(Object.entries(shown).filter(([key]) => key !== name));
}
