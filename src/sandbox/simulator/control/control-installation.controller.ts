import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ControlApi } from '../access/access-rules.js';
import { EndInstallation } from '../installations/end-installation.js';
import { installationWire } from '../installations/installation.js';
import { parseUuid } from '../wire/parse-request.js';

/** The actions of a company's admin on the connected applications. */
@ControlApi()
@Controller('control/companies/:id')
export class ControlInstallationController {
  constructor(private readonly endInstallation: EndInstallation) {}

  @Get('installations')
  async list(@Param('id') id: string): Promise<readonly object[]> {
    return (await this.endInstallation.listOfCompany(parseUuid('id', id))).map(installationWire);
  }

  /** The admin disconnects every application: as if each had deleted its installation. */
  @Post('disconnect')
  @HttpCode(200)
  async disconnect(@Param('id') id: string): Promise<object> {
    return { disconnected: await this.endInstallation.disconnectCompany(parseUuid('id', id)) };
  }

  /** The installations stay, but every refresh and access token stops working. */
  @Post('revoke-tokens')
  @HttpCode(200)
  async revokeTokens(@Param('id') id: string): Promise<object> {
    return { revoked: await this.endInstallation.revokeTokensOfCompany(parseUuid('id', id)) };
  }
}
