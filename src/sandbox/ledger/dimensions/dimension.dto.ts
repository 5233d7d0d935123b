import { MAX_CODE_LENGTH, OptionalFlag, Text } from '../http/field.js';
import { bodyOf, pageOf } from '../http/page.js';

export class DimensionDto {
  @Text(MAX_CODE_LENGTH)
  readonly code!: string;

  @Text()
  readonly name!: string;

  @OptionalFlag(true)
  readonly active: boolean = true;
}

export class DimensionsDto extends bodyOf(DimensionDto, (dimension) => dimension.code) {}

export class DimensionPage extends pageOf(DimensionDto) {}

export class DimensionValueDto {
  @Text(MAX_CODE_LENGTH)
  readonly dimensionCode!: string;

  @Text(MAX_CODE_LENGTH)
  readonly code!: string;

  @Text()
  readonly name!: string;

  @OptionalFlag(true)
  readonly active: boolean = true;
}

export class DimensionValuesDto extends bodyOf(DimensionValueDto, (value) =>
  JSON.stringify([value.dimensionCode, value.code]),
) {}

export class DimensionValuePage extends pageOf(DimensionValueDto) {}
