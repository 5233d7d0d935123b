import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { EndInstallation } from '../installations/end-installation.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { installationWire, type Installation } from '../installations/installation.js';
import { parseUuid } from '../wire/parse-request.js';
import { resourceUrn } from '../wire/resource-urn.js';
import { ControlGuard } from './control.guard.js';

/** What a company's admin does to the apps connected to it. */
@Controller('control/companies/:id')
@UseGuards(ControlGuard)
export class ControlInstallationController {
  constructor(
    private readonly installationRepository: InstallationRepository,
    private readonly endInstallation: EndInstallation,
    private readonly database: Database,
  ) {}

  @Get('installations')
  async list(@Param('id') id: string): Promise<readonly object[]> {
    return (await this.ofCompany(id)).map(installationWire);
  }

  /** The admin disconnects every app: as if each had deleted its installation. */
  @Post('disconnect')
  @HttpCode(200)
  async disconnect(@Param('id') id: string): Promise<object> {
    const installations = await this.ofCompany(id);
    for (const installation of installations) {
      await this.endInstallation.endInstallation(installation);
    }
    return { disconnected: installations.length };
  }

  /** Access is lost but the apps stay installed: every refresh and access token stops working. */
  @Post('revoke-tokens')
  @HttpCode(200)
  async revokeTokens(@Param('id') id: string): Promise<object> {
    const installations = await this.ofCompany(id);
    for (const installation of installations) {
      await this.endInstallation.revokeTokens(installation);
    }
    return { revoked: installations.length };
  }

  private async ofCompany(id: string): Promise<readonly Installation[]> {
    const resource = resourceUrn('company', parseUuid('id', id));
    return this.database.inTransaction('find installations', (tx) =>
      this.installationRepository.findByResource(tx, resource),
    );
  }
}
