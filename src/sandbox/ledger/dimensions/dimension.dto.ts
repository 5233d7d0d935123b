import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, ValidateNested } from 'class-validator';
import { MAX_CODE_LENGTH, OptionalFlag, Text } from '../http/field.js';
import { pageOf } from '../http/page.js';

export class DimensionDto {
  @Text(MAX_CODE_LENGTH)
  readonly code!: string;

  @Text()
  readonly name!: string;

  @OptionalFlag(true)
  readonly active: boolean = true;
}

export class DimensionsDto {
  @ApiProperty({ type: [DimensionDto], maxItems: 1_000 })
  @IsArray()
  @ArrayMaxSize(1_000)
  @ArrayUnique((dimension: DimensionDto) => dimension.code)
  @ValidateNested({ each: true })
  @Type(() => DimensionDto)
  readonly data!: readonly DimensionDto[];
}

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

export class DimensionValuesDto {
  @ApiProperty({ type: [DimensionValueDto], maxItems: 1_000 })
  @IsArray()
  @ArrayMaxSize(1_000)
  @ArrayUnique((value: DimensionValueDto) => JSON.stringify([value.dimensionCode, value.code]))
  @ValidateNested({ each: true })
  @Type(() => DimensionValueDto)
  readonly data!: readonly DimensionValueDto[];
}

export class DimensionValuePage extends pageOf(DimensionValueDto) {}
