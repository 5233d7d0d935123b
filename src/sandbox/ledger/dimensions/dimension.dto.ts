import { shape } from '../../../foundation/http/shape.js';
import { bodyOf, pageOf } from '../http/page.js';
import { code, optionalFlag, text } from '../http/field.js';

export class DimensionDto extends shape({
  code: code(),
  name: text(),
  active: optionalFlag(true),
}) {}

export class DimensionsDto extends bodyOf(DimensionDto, (dimension) => dimension.code) {}

export class DimensionPage extends pageOf(DimensionDto) {}

export class DimensionValueDto extends shape({
  dimensionCode: code(),
  code: code(),
  name: text(),
  active: optionalFlag(true),
}) {}

export class DimensionValuesDto extends bodyOf(DimensionValueDto, (value) =>
  JSON.stringify([value.dimensionCode, value.code]),
) {}

export class DimensionValuePage extends pageOf(DimensionValueDto) {}
