import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../../foundation/database/database.js';
import { isUuid } from '../../../../kernel/ids.js';
import { CompanyGuard } from '../../access/company.guard.js';
import { documentedSchema } from '../../http/documented-schema.js';
import { startOfPage, toPage } from '../../http/page.js';
import { parsedBody } from '../../http/parsed-body.js';
import { InspectedGroupsDto, ListedGroupsPage, ListedGroupsQuery } from './group-inspection.dto.js';
import { GroupInspectionRepository } from './group-inspection.repository.js';
import { InspectGroups } from './inspect-groups.js';
import { lookupRequestSchema } from './posting-group.schema.js';

@ApiTags('journal')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId')
export class GroupInspectionController {
  constructor(
    private readonly database: Database,
    private readonly inspectGroups: InspectGroups,
    private readonly groupInspectionRepository: GroupInspectionRepository,
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
  async list(
    @Param('companyId') companyId: string,
    @Query() query: ListedGroupsQuery,
  ): Promise<ListedGroupsPage> {
    const start = startOfPage(query, 1, isUuid);
    const rows = await this.database.inTransaction('journal.groups', (tx) =>
      this.groupInspectionRepository.list(tx, companyId, query, start),
    );
    return toPage(query, rows, (group) => [group.id]);
  }
}
