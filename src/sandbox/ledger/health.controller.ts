import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../foundation/database/database.js';
import { Public } from './access/public.decorator.js';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  @Get()
  @Public()
  @ApiOkResponse({ description: 'The ledger is up and reaches its database; with the version of its interface.' })
  async health(): Promise<{ readonly status: 'ok'; readonly version: string }> {
    await this.database.ping();
    return { status: 'ok', version: '1' };
  }
}
