import type { Type } from '@nestjs/common';
import { MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';

/** Room for the texts by which some lists are ordered. */
const MAX_CURSOR = 3_000;

const pageUpTo = (maximum: number) => ({
  after: input.text('`nextCursor` of the previous page', MaxLength(MAX_CURSOR)).optional(),
  limit: input.digits({ minimum: 1, maximum, default: 50 }),
});

/** Of every list that is read page by page. */
export class PageQuery extends shape(pageUpTo(100)) {}

/** Of lists that people scroll through: a row of theirs is little work. */
export const longPage = pageUpTo(1_000);

export class LongPageQuery extends shape(longPage) {}

export class PageResponse extends shape({
  nextCursor: field.text('`after` of the next page; null at the end').nullable(),
}) {}

/** @param description of the items, or what else is said of them */
export const pageOf = <T>(item: Type<T>, description?: Parameters<typeof field.many>[1]) =>
  shapeWith(PageResponse, { data: field.many(item, description) });
