import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { documentedSchema } from '../../http/documented-schema.js';
import { parsedBody } from '../../http/parsed-body.js';
import { InspectedGroupsDto, ListedGroupsPage, ListedGroupsQuery } from './group-inspection.dto.js';
import { InspectGroups } from './inspect-groups.js';
import { PostingGroupReader } from './posting-group.reader.js';
import { lookupRequestSchema } from './posting-group.schema.js';

@CompanyRoutes('journal')
@Controller('companies/:companyId')
export class GroupInspectionController {
  constructor(
    private readonly inspectGroups: InspectGroups,
    private readonly postingGroupReader: PostingGroupReader,
  ) {}

  @Post('posting-groups::inspect')
  @HttpCode(200)
  @ApiBody({ schema: documentedSchema(lookupRequestSchema) })
  @ApiOkResponse({
    type: InspectedGroupsDto,
    description: 'Entries and lines of every revision under the keys.',
  })
  async inspect(@Param('companyId') companyId: string, @Body() body: unknown): Promise<InspectedGroupsDto> {
    const { keys } = parsedBody(lookupRequestSchema, body);
    return { data: await this.inspectGroups.inspect(companyId, keys) };
  }

  @Get('posting-groups')
  @ApiOkResponse({ type: ListedGroupsPage, description: 'Groups with an entry dated in the period.' })
  async list(@Param('companyId') companyId: string, @Query() query: ListedGroupsQuery): Promise<ListedGroupsPage> {
    return this.postingGroupReader.readPage(companyId, query);
  }
}
