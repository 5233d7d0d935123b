import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { z } from 'zod';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';
import { textField } from '../wire/request-fields.js';
import { wireTime } from '../wire/wire-time.js';

/** Something that the tags of a group say besides name and code (P7). */
export interface TagDimension {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  readonly code: string;
  readonly visible: boolean;
  /** From 1. */
  readonly displayOrder: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TagDimensionValue {
  readonly groupId: string;
  readonly tagId: string;
  readonly dimensionId: string;
  readonly value: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The ids in the path of a value, as the caller wrote them. */
export class DimensionValuePath {
  @ApiProperty({ format: 'uuid' })
  @IsString()
  readonly tagId!: string;

  @ApiProperty({ format: 'uuid' })
  @IsString()
  readonly dimensionId!: string;
}

const MAX_ORDER = 2_147_483_647;

/** A new dimension comes last, whatever `displayOrder` says: the field is out of use there (P13). */
export const newDimensionSchema = z.object({
  name: textField.min(1),
  code: textField.min(1),
  visible: z.boolean(),
});
export const dimensionUpdateSchema = newDimensionSchema.extend({
  displayOrder: z.int().min(1).max(MAX_ORDER),
});
export const dimensionValueSchema = z.object({ value: textField });

export const dimensionResponseSchema = z.object({
  id: uuidResponseField,
  groupId: uuidResponseField,
  name: z.string(),
  code: z.string(),
  visible: z.boolean(),
  displayOrder: z.number(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});
export const dimensionValueResponseSchema = z.object({
  tagId: uuidResponseField,
  dimensionId: uuidResponseField,
  value: z.string(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});

export function dimensionWire(dimension: TagDimension): object {
  const { createdAt, updatedAt, ...rest } = dimension;
  return { ...rest, createdAt: wireTime(createdAt), updatedAt: wireTime(updatedAt) };
}

export function dimensionValueWire(stored: TagDimensionValue): object {
  const { tagId, dimensionId, value, createdAt, updatedAt } = stored;
  return { tagId, dimensionId, value, createdAt: wireTime(createdAt), updatedAt: wireTime(updatedAt) };
}
