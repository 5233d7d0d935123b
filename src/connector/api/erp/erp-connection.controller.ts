import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { ERP_CHECKS } from '../../erp-connections/domain/erp-findings.js';
import { EndErpConnection } from '../../erp-connections/end-erp-connection.js';
import { ReadErpConnection } from '../../erp-connections/read-erp-connection.js';
import { SaveErpConnection } from '../../erp-connections/save-erp-connection.js';
import { BeginErpSignIn } from '../../erp-connections/sign-in/begin-erp-sign-in.js';
import { TestErpConnection } from '../../erp-connections/test-erp-connection.js';
import type { ErpCompany } from '../../erp/erp-ledger.js';
import { BEGIN_ERP_SIGN_IN, SAVE_ERP_CONNECTION, successOf } from '../http/outcome-problems.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { notFound } from '../http/problems.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { ReconciliationReader } from '../../reconciliation/reconciliation.reader.js';
import {
  ErpCompaniesResponse,
  ErpConnectionRequest,
  ErpConnectionResponse,
  ErpKindsResponse,
  ErpSignInResponse,
  ErpTestRequestBody,
  ErpTestResponse,
  type ErpCompanyResponse,
} from './erp-connection.dto.js';

@ApiTags('ERP connection')
@Controller('api/v1')
export class ErpConnectionController {
  constructor(
    private readonly readErpConnection: ReadErpConnection,
    private readonly saveErpConnection: SaveErpConnection,
    private readonly testErpConnection: TestErpConnection,
    private readonly endErpConnection: EndErpConnection,
    private readonly beginErpSignIn: BeginErpSignIn,
    private readonly reconciliationReader: ReconciliationReader,
  ) {}

  @Get('erp-kinds')
  @ApiOperation({
    summary: 'List kinds of accounting systems',
    description:
      'The kinds of accounting systems that can be connected, and the settings that each needs; titles and descriptions are in the language of the reader where the adapter has them.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpKindsResponse })
  listKinds(@ReaderLanguage() language: string): ErpKindsResponse {
    return { data: this.readErpConnection.listKinds(language) };
  }

  @Get('erp-connection')
  @ApiOperation({
    summary: 'Read the connection to the accounting system',
    description: 'The accounting system that is connected, without its secrets. 404 before there is one.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpConnectionResponse })
  @ApiNotFoundResponse({ description: 'no accounting system is connected' })
  async read(
    @Caller() { installationId }: Principal,
    @ReaderLanguage() language: string,
  ): Promise<ErpConnectionResponse> {
    const reading = await this.readErpConnection.read(installationId, language);
    if (reading === undefined) {
      throw notFound(message('problem.not-found.erp-connection'));
    }
    const { timeZone } = await this.reconciliationReader.readStatus(installationId);
    const { connection, limitation, name, guarantee, capabilities } = reading;
    const { kind, settings, connectedBy, connectedAt, lastSuccessAt, findings } = connection;
    const isLimited = connection.state === 'ok' && limitation !== undefined;
    return {
      kind,
      name,
      state: isLimited ? 'limited' : connection.state,
      problem: isLimited
        ? localize(language, message(`erp-connection.${limitation.reason}`)).text
        : connection.problem === undefined
          ? null
          : localizeProblem(language, connection.problem),
      limitedUntil: isLimited ? limitation.until : null,
      settings,
      connectedBy,
      connectedAt,
      lastSuccessAt: lastSuccessAt ?? null,
      guarantee: guarantee ?? null,
      givesFiles: capabilities?.givesFiles === true,
      company: findings?.company ?? null,
      functionalCurrency: findings?.functionalCurrency ?? null,
      timeZone: findings?.timeZone ?? timeZone,
      findings: ERP_CHECKS.flatMap((check) => {
        const found = findings?.checks[check];
        return found === undefined ? [] : [{ ...found, check, detail: localize(language, found.detail).text }];
      }),
    };
  }

  @Put('erp-connection')
  @ApiOperation({
    summary: 'Connect the accounting system',
    description:
      'Connects the accounting system of this company, or changes settings and credentials of the connection. They are tried before they are stored. The response lists the companies that they open: link one with PUT /api/v1/erp-company.',
  })
  @Access('admin')
  @RecentSignIn()
  @InteractivePlatformRequest()
  @ApiOkResponse({ type: ErpCompaniesResponse })
  @ApiUnprocessableEntityResponse({ description: 'the settings are not complete, or the ERP does not accept them' })
  @ApiConflictResponse({ description: 'another ERP is in use: confirm the change' })
  async connect(@Caller() caller: Principal, @Body() body: ErpConnectionRequest): Promise<ErpCompaniesResponse> {
    const { kind, settings, confirmChange: isChangeConfirmed = false } = body;
    const saved = await this.saveErpConnection.connect(
      caller.installationId,
      { kind, settings, isChangeConfirmed },
      caller.name,
    );
    return { data: successOf(saved, ['connected'], SAVE_ERP_CONNECTION).companies.map(companyOf) };
  }

  @Post('erp-connection/sign-in')
  @ApiOperation({
    summary: 'Begin the sign-in at the accounting system',
    description:
      'Begins the sign-in at an accounting system that has one, to connect it or to renew the connection. The browser of the person who signs in needs a session of these settings: it comes back to them, and the connection is stored then.',
  })
  @HttpCode(200)
  @Access('admin')
  @RecentSignIn()
  @InteractivePlatformRequest()
  @Idempotent()
  @ApiOkResponse({ type: ErpSignInResponse })
  @ApiUnprocessableEntityResponse({ description: 'the accounting system cannot be signed in to' })
  @ApiConflictResponse({
    description:
      'with these settings there is no sign-in, the connector is not registered there, or another ERP is in use',
  })
  async beginSignIn(
    @Caller() { installationId, memberId }: Principal,
    @Body() { kind, settings, confirmChange: isChangeConfirmed = false }: ErpConnectionRequest,
  ): Promise<ErpSignInResponse> {
    const begun = await this.beginErpSignIn.begin(installationId, { kind, settings, isChangeConfirmed }, memberId);
    const { signInUrl, expiresAt } = successOf(begun, ['begun'], BEGIN_ERP_SIGN_IN);
    return { signInUrl, expiresAt };
  }

  @Post('erp-connection/test')
  @ApiOperation({
    summary: 'Test the connection to the accounting system',
    description:
      'Says in words what works: sign-in, companies, each list of one company, and posting where accounts are named.',
  })
  @HttpCode(200)
  @Access('admin')
  @RecentSignIn()
  @InteractivePlatformRequest()
  @Idempotent()
  @ApiOkResponse({ type: ErpTestResponse })
  @ApiNotFoundResponse({ description: 'no accounting system is connected' })
  async test(
    @Caller() caller: Principal,
    @Body() body: ErpTestRequestBody,
    @ReaderLanguage() language: string,
  ): Promise<ErpTestResponse> {
    const request = { company: body.erpCompanyId, accounts: body.testEntry };
    const tested = await this.testErpConnection.test(caller.installationId, request);
    if (tested === undefined) {
      throw notFound(message('problem.not-found.erp-connection'));
    }
    const checks = tested.checks.map((each) => ({ ...each, detail: localize(language, each.detail).text }));
    return { checks, companies: tested.companies.map(companyOf) };
  }

  @Delete('erp-connection')
  @ApiOperation({
    summary: 'End the connection to the accounting system',
    description:
      'Ends the connection. Its credentials are not used any more; exports fail with the reason until there is another one.',
  })
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'no accounting system is connected' })
  async end(@Caller() { installationId }: Principal): Promise<void> {
    if (!(await this.endErpConnection.end(installationId))) {
      throw notFound(message('problem.not-found.erp-connection'));
    }
  }
}

function companyOf({ id, name, registrationNumber }: ErpCompany): ErpCompanyResponse {
  return { id, name, registrationNumber: registrationNumber ?? null };
}
