import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { z } from 'zod';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { dataOf } from '../wire/response-schemas.js';
import { EmptyResponse, JsonResponse, JsonBody, PlatformApi, ErrorResponses } from '../wire/api-documentation.js';
import { parseBody } from '../wire/parse-request.js';
import { ChangeDimensionValue } from './change-dimension-value.js';
import { ChangeTagDimension } from './change-tag-dimension.js';
import {
  dimensionResponseSchema,
  dimensionUpdateSchema,
  dimensionValueResponseSchema,
  DimensionValuePath,
  dimensionValueSchema,
  dimensionValueWire,
  dimensionWire,
  newDimensionSchema,
  type TagDimensionValue,
} from './tag-dimension.js';
import { READ_TAGS, WRITE_TAGS } from './tag-scopes.js';

const VALUE = 'tags/:tagId/dimensions/:dimensionId';

/** Dimensions of tag groups, and the values of tags in them (P7). */
@PlatformApi('tag dimensions')
@ErrorResponses(404)
@Controller('v0')
export class TagDimensionController {
  constructor(
    private readonly changeTagDimension: ChangeTagDimension,
    private readonly changeDimensionValue: ChangeDimensionValue,
  ) {}

  @Get('tag-groups/:groupId/dimensions')
  @RequiresScope(...READ_TAGS)
  @JsonResponse(dataOf(z.array(dimensionResponseSchema)))
  async list(@CurrentCaller() caller: Caller, @Param('groupId') groupId: string): Promise<object> {
    return { data: (await this.changeTagDimension.list(caller, groupId)).map(dimensionWire) };
  }

  @Post('tag-groups/:groupId/dimensions')
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(newDimensionSchema)
  @JsonResponse(dataOf(dimensionResponseSchema), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Param('groupId') groupId: string,
    @Body() body: unknown,
  ): Promise<object> {
    const fields = parseBody(newDimensionSchema, body);
    return { data: dimensionWire(await this.changeTagDimension.create(caller, groupId, fields)) };
  }

  @Get('tag-groups/:groupId/dimensions/:dimensionId')
  @RequiresScope(...READ_TAGS)
  @JsonResponse(dataOf(dimensionResponseSchema))
  async get(
    @CurrentCaller() caller: Caller,
    @Param('groupId') groupId: string,
    @Param('dimensionId') id: string,
  ): Promise<object> {
    return { data: dimensionWire(await this.changeTagDimension.find(caller, groupId, id)) };
  }

  @Put('tag-groups/:groupId/dimensions/:dimensionId')
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(dimensionUpdateSchema)
  @JsonResponse(dataOf(dimensionResponseSchema))
  async update(
    @CurrentCaller() caller: Caller,
    @Param('groupId') groupId: string,
    @Param('dimensionId') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    const fields = parseBody(dimensionUpdateSchema, body);
    return { data: dimensionWire(await this.changeTagDimension.update(caller, groupId, id, fields)) };
  }

  @Delete('tag-groups/:groupId/dimensions/:dimensionId')
  @HttpCode(204)
  @RequiresScope(...WRITE_TAGS)
  @EmptyResponse(204)
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('groupId') groupId: string,
    @Param('dimensionId') id: string,
  ): Promise<void> {
    await this.changeTagDimension.remove(caller, groupId, id);
  }

  @Get('tags/:tagId/dimensions')
  @RequiresScope(...READ_TAGS)
  @JsonResponse(dataOf(z.array(dimensionValueResponseSchema)))
  async listValues(@CurrentCaller() caller: Caller, @Param('tagId') tagId: string): Promise<object> {
    return { data: (await this.changeDimensionValue.list(caller, tagId)).map(dimensionValueWire) };
  }

  @Get(VALUE)
  @RequiresScope(...READ_TAGS)
  @JsonResponse(dataOf(dimensionValueResponseSchema))
  async getValue(@CurrentCaller() caller: Caller, @Param() path: DimensionValuePath): Promise<object> {
    return shown(await this.changeDimensionValue.find(caller, path));
  }

  @Post(VALUE)
  @ErrorResponses(409)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(dimensionValueSchema)
  @JsonResponse(dataOf(dimensionValueResponseSchema), 201)
  async createValue(
    @CurrentCaller() caller: Caller,
    @Param() path: DimensionValuePath,
    @Body() body: unknown,
  ): Promise<object> {
    return shown(await this.changeDimensionValue.create(caller, path, parseBody(dimensionValueSchema, body)));
  }

  @Put(VALUE)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(dimensionValueSchema)
  @JsonResponse(dataOf(dimensionValueResponseSchema))
  async updateValue(
    @CurrentCaller() caller: Caller,
    @Param() path: DimensionValuePath,
    @Body() body: unknown,
  ): Promise<object> {
    return shown(await this.changeDimensionValue.update(caller, path, parseBody(dimensionValueSchema, body)));
  }

  @Delete(VALUE)
  @HttpCode(204)
  @RequiresScope(...WRITE_TAGS)
  @EmptyResponse(204)
  async removeValue(@CurrentCaller() caller: Caller, @Param() path: DimensionValuePath): Promise<void> {
    await this.changeDimensionValue.remove(caller, path);
  }
}

function shown(stored: TagDimensionValue): object {
  return { data: dimensionValueWire(stored) };
}
