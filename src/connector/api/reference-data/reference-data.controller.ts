import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import { ChooseDimensions } from '../../reference-data/choose-dimensions.js';
import { DecideVendor } from '../../reference-data/decide-vendor.js';
import { ListVisibleCompanies } from '../../reference-data/list-visible-companies.js';
import { SyncReader } from '../../reference-data/sync.reader.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { PageQuery } from '../http/page.dto.js';
import { expectedVersionOf, IF_MATCH, setEtag, staleVersion } from '../http/if-match.js';
import { DECIDE_VENDOR, successOf } from '../http/outcome-problems.js';
import { PagedList, UUID } from '../http/page.js';
import { problem } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  ChosenDimensionsResponse,
  CompaniesQuery,
  CompaniesResponse,
  DimensionsRequest,
  DimensionsResponse,
  VendorDecisionRequest,
  VendorMatchesResponse,
} from './reference-data.dto.js';

const MAX_COMPANIES = 50;
const VENDOR_MATCHES = new PagedList({ platformVendorId: UUID });

/** Decisions about reference data: dimensions, ambiguous vendors, companies. */
@ApiTags('Reference data')
@Controller('api/v1/reference-data')
export class ReferenceDataController {
  constructor(
    private readonly chooseDimensions: ChooseDimensions,
    private readonly decideVendor: DecideVendor,
    private readonly listVisibleCompanies: ListVisibleCompanies,
    private readonly syncReader: SyncReader,
  ) {}

  @Get('dimensions')
  @ApiOperation({
    summary: 'List dimensions',
    description: 'Dimensions of the ERP, with those that are tag groups on the platform.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: DimensionsResponse })
  async dimensions(
    @Caller() { installationId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DimensionsResponse> {
    const { choice, dimensions } = await this.chooseDimensions.offer(installationId);
    const version = choice?.version ?? 0;
    setEtag(reply, version);
    return { version, chosen: choice?.codes ?? null, chosenBy: choice?.chosenBy ?? null, dimensions };
  }

  @Put('dimensions')
  @ApiOperation({
    summary: 'Choose dimensions as tag groups',
    description:
      'Chooses up to five dimensions; a run makes them tag groups, and archives the tag groups of the others.',
  })
  @Access('admin')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ChosenDimensionsResponse })
  async chooseTagDimensions(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() body: DimensionsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChosenDimensionsResponse> {
    const seen = expectedVersionOf(ifMatch);
    const chosen = await this.chooseDimensions.choose(caller.installationId, seen, body.codes, caller.name);
    const { choice } = successOf(chosen, ['chosen'], {
      stale: staleVersion,
      'too-many': () => problem('too-many-dimensions', message('problem.too-many-dimensions.detail')),
      unknown: ({ codes }) =>
        problem('unknown-dimension', message('problem.unknown-dimension.detail', { codes: codes.join(', ') }), {
          errors: codes.map((code) => ({
            pointer: `/codes/${body.codes.indexOf(code).toString()}`,
            detail: 'The ERP has no active dimension with this code.',
          })),
        }),
    });
    setEtag(reply, choice.version);
    return { version: choice.version, chosen: choice.codes };
  }

  @Get('vendor-matches')
  @ApiOperation({
    summary: 'List vendors that wait for a decision',
    description: 'Vendors of the platform that wait for a decision, with candidates of the ERP.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: VendorMatchesResponse })
  async vendorMatches(
    @Caller() { installationId }: Principal,
    @Query() query: PageQuery,
  ): Promise<VendorMatchesResponse> {
    return VENDOR_MATCHES.page(query, (after, limit) =>
      this.syncReader.listWaitingVendors(installationId, after?.platformVendorId, limit),
    );
  }

  @Post('vendor-matches/:platformVendorId/decision')
  @ApiOperation({
    summary: 'Decide about a waiting vendor',
    description: 'Records the decision about a waiting vendor; a run carries it out.',
  })
  @InteractivePlatformRequest()
  @Idempotent()
  @HttpCode(202)
  @Access('admin')
  @ApiAcceptedResponse({ description: 'recorded; without a body' })
  async decideWaitingVendor(
    @Caller() caller: Principal,
    @Param('platformVendorId') platformVendorId: string,
    @Body() { decision, erpVendorNumber }: VendorDecisionRequest,
  ): Promise<void> {
    const decided = isUuid(platformVendorId)
      ? await this.decideVendor.decide(
          caller.installationId,
          platformVendorId.toLowerCase(),
          decision === 'link' ? { decision, number: erpVendorNumber ?? '' } : { decision },
          caller.name,
        )
      : ({ outcome: 'not-waiting' } as const);
    successOf(decided, ['decided'], DECIDE_VENDOR);
  }

  @Get('companies')
  @ApiOperation({
    summary: 'Search companies of the platform',
    description: 'Companies of the platform that the connection can read, searched by name or registration number.',
  })
  @InteractivePlatformRequest()
  @Access('viewer')
  @ApiOkResponse({ type: CompaniesResponse })
  async companies(
    @Caller() { installationId }: Principal,
    @Query() { search, organizationId }: CompaniesQuery,
  ): Promise<CompaniesResponse> {
    const limit = MAX_COMPANIES;
    const found = await mapPermissionErrors(
      this.listVisibleCompanies.list(installationId, { organizationId, text: search, limit }),
    );
    return {
      data: found.map(({ id, name, registrationNumber, address }) => ({
        id,
        name,
        registrationNumber,
        country: address.country,
      })),
    };
  }
}

/** @throws Problem 409 when the platform does not permit the request */
async function mapPermissionErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PlatformRefusal && error.status < 500 && error.status !== 429) {
      const detail = message('problem.not-authorized.detail');
      throw problem('not-authorized', detail, { cause: error });
    }
    throw error;
  }
}
