import { Body, Controller, Delete, Get, Header, HttpCode, Put, Query, type StreamableFile } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { ConnectWithApiKey } from '../../installations/connect/connect-with-api-key.js';
import { ExportInstallationData } from '../../installations/uninstall/export-installation-data.js';
import { Uninstall } from '../../installations/uninstall/uninstall.js';
import { nextStep } from '../../installations/domain/connection-steps.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import {
  ApiKeyConnectionResponse,
  ApiKeyRequest,
  ConnectionResponse,
  UninstallQuery,
  UninstallResponse,
} from './connection.dto.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { DownloadLimiter } from '../downloads/download-limiter.js';
import { fileDownload } from '../downloads/file-download.js';
import { STORED_DATA } from '../downloads/stored-data.schema.js';
import { CONNECT_WITH_API_KEY, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localize } from '../../messages/texts.js';
import { ReadConnection, type ConnectionProgress } from './read-connection.js';
import { problem } from '../http/problems.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { EndOpenJobs } from '../../exports/run/end-open-jobs.js';

@ApiTags('Connection')
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

  @Get('connection')
  @ApiOperation({
    summary: 'Read the connection to the platform',
    description: 'The steps of the connection: what is done, what is next, and the problem that blocks it.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ConnectionResponse })
  async read(@Caller() caller: Principal, @ReaderLanguage() language: string): Promise<ConnectionResponse> {
    return respond(await this.readConnection.readProgress(caller.installationId), language);
  }

  @Put('connection/api-key')
  @ApiOperation({
    summary: 'Replace the platform’s API key',
    description: 'Replaces the credential of the platform, of either kind, by an API key. Everything else stays.',
  })
  @InteractivePlatformRequest()
  @Access('admin')
  @RecentSignIn()
  @ApiOkResponse({ type: ApiKeyConnectionResponse })
  @ApiUnprocessableEntityResponse({
    description: 'the platform does not accept the key, or the key lacks scopes',
  })
  @ApiConflictResponse({ description: 'the key is for another company' })
  async replaceApiKey(
    @Caller() caller: Principal,
    @Body() { apiKey }: ApiKeyRequest,
  ): Promise<ApiKeyConnectionResponse> {
    const { installationId, companyName } = successOf(
      await this.connectWithApiKey.replaceKey(caller.installationId, apiKey),
      ['connected'],
      CONNECT_WITH_API_KEY,
    );
    return { installationId, companyName };
  }

  @Get('installation/export')
  @ApiOperation({
    summary: 'Download everything that is stored',
    description:
      'All stored data of the installation, as one JSON download: configuration, jobs, items, postings, messages.',
  })
  @Download()
  @Access('admin')
  @RecentSignIn()
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: STORED_DATA })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is under way' })
  @Header('cache-control', 'no-store')
  download(@Caller() { installationId }: Principal, @Rows() rows: RowCount): StreamableFile {
    const document = this.downloadLimiter.limitStream(installationId, () =>
      this.exportInstallationData.openExport(installationId, rows),
    );
    return fileDownload(document, { name: 'installation.json', type: 'application/json' });
  }

  @Delete('installation')
  @ApiOperation({
    summary: 'Uninstall',
    description:
      'Uninstalls: ends open exports with a verdict, notifies the platform, ends all requests, destroys the keys and every API token of the installation. Posted entries stay, but for those of an accounting system that reads files: what is in no batch yet, and batches that were not downloaded, are lost. Connecting the same company again restores the configuration.',
  })
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
      throw problem('not-confirmed', message('problem.not-confirmed.name'));
    }
    await this.endOpenJobs.endBeforeUninstall(installation.id, installation.companyId);
    const platformNotified = await this.uninstall.uninstall(caller.installationId);
    return { platformNotified: platformNotified ?? false };
  }
}

function respond({ installation, credential, steps }: ConnectionProgress, language: string): ConnectionResponse {
  const { id, companyId, companyName, state, generation, accessLevel, problem, pause } = installation;
  return {
    installationId: id,
    companyId,
    companyName,
    state,
    generation,
    accessLevel,
    credential: credential ?? null,
    steps: steps.map(({ detail, ...step }) => ({ ...step, detail: localize(language, detail).text })),
    next: nextStep(steps) ?? null,
    problem: problem === undefined ? null : { text: localize(language, problem.detail).text, at: problem.at },
    paused: pause ?? null,
  };
}
