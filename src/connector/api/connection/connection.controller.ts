import { Body, Controller, Delete, Get, Header, HttpCode, Put, Query, StreamableFile } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiOkResponse,
  ApiProduces,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { ConnectWithApiKey } from '../../installations/connect/connect-with-api-key.js';
import { ExportInstallationData } from '../../installations/uninstall/export-installation-data.js';
import { Uninstall } from '../../installations/uninstall/uninstall.js';
import { nextStep } from '../../installations/domain/connection-steps.js';
import { connectionOrThrow } from './api-key-problems.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import {
  ApiKeyConnectionResponse,
  ApiKeyRequest,
  ConnectionResponse,
  UninstallQuery,
  UninstallResponse,
} from './connection.dto.js';
import { DownloadLimiter } from '../http/download-limiter.js';
import { Caller, type Principal } from '../http/principal.js';
import { ReadConnection, type ConnectionProgress } from './read-connection.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { EndOpenJobs } from '../../exports/run/end-open-jobs.js';

@ApiTags('Connection')
@ApiBearerAuth()
@Controller('api/v1')
export class ConnectionController {
  constructor(
    private readonly connectWithApiKey: ConnectWithApiKey,
    private readonly exportInstallationData: ExportInstallationData,
    private readonly uninstall: Uninstall,
    private readonly readConnection: ReadConnection,
    private readonly endOpenJobs: EndOpenJobs,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  /** How far connecting has come: what is done, what is next, and what keeps it from going on. */
  @Get('connection')
  @Access('viewer')
  @ApiOkResponse({ type: ConnectionResponse })
  async read(@Caller() caller: Principal): Promise<ConnectionResponse> {
    return respond(await this.readConnection.readProgress(caller.installationId));
  }

  /** Puts an API key in the place of the credential there is, whatever kind it was. Everything else is kept. */
  @Put('connection/api-key')
  @InteractivePlatformRequest()
  @Access('admin')
  @RecentSignIn()
  @ApiOkResponse({ type: ApiKeyConnectionResponse })
  @ApiUnprocessableEntityResponse({
    description: 'the platform does not accept the key, or it may too little',
  })
  @ApiConflictResponse({ description: 'the key is for another company' })
  async replaceApiKey(
    @Caller() caller: Principal,
    @Body() { apiKey }: ApiKeyRequest,
  ): Promise<ApiKeyConnectionResponse> {
    return connectionOrThrow(this.connectWithApiKey.replaceKey(caller.installationId, apiKey));
  }

  /** Everything that is kept of the installation, as one JSON download: configuration, jobs, items, postings, messages. */
  @Get('installation/export')
  @Access('admin')
  @RecentSignIn()
  @ApiProduces('application/json')
  @ApiOkResponse({ description: '`{exportedAt, tables: {<table>: [row…]}}`' })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is under way' })
  @Header('content-disposition', 'attachment; filename="installation.json"')
  @Header('cache-control', 'no-store')
  download(@Caller() { installationId }: Principal): StreamableFile {
    const document = this.downloadLimiter.limitStream(installationId, () =>
      this.exportInstallationData.openExport(installationId),
    );
    return new StreamableFile(document, { type: 'application/json' });
  }

  /**
   * Uninstalls: gives open exports their verdict, tells the platform, ends all calls, destroys the keys and every API token of
   * the installation. What was booked stays; connecting the same company again takes the configuration up again.
   */
  @Delete('installation')
  @HttpCode(200)
  @Access('admin')
  @RecentSignIn()
  @ApiOkResponse({ type: UninstallResponse })
  @ApiConflictResponse({ description: 'the name is not the company’s' })
  async deleteInstallation(
    @Caller() caller: Principal,
    @Query() { companyName }: UninstallQuery,
  ): Promise<UninstallResponse> {
    const { installation } = await this.readConnection.readProgress(caller.installationId);
    if (installation.companyName !== companyName) {
      const detail = 'Nothing was changed: confirm with the company’s name, letter by letter.';
      throw new Problem({ status: 409, type: 'not-confirmed', detail });
    }
    await this.endOpenJobs.endBeforeUninstall(installation.id, installation.companyId);
    const platformNotified = await this.uninstall.uninstall(caller.installationId);
    return { platformNotified: platformNotified ?? false };
  }
}

function respond({ installation, credential, steps }: ConnectionProgress): ConnectionResponse {
  const { id, companyId, companyName, state, generation, accessLevel, problem } = installation;
  return {
    installationId: id,
    companyId,
    companyName,
    state,
    generation,
    accessLevel,
    credential: credential ?? null,
    steps,
    next: nextStep(steps) ?? null,
    problem: problem ?? null,
  };
}
