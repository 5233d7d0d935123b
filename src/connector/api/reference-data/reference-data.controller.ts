import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { AuthorizationLost, PlatformRefusal } from '../../platform/platform-error.js';
import { ReferenceDataService, SyncBlocked } from '../../reference-data/reference-data.service.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { decodeCursor, encodeCursor, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { expectedVersionOf, setEtag } from '../mapping/mapping-preconditions.js';
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
import { mapPlatformErrors } from '../http/platform-problems.js';
import { mapErpErrors } from '../http/erp-problems.js';

const MAX_COMPANIES = 50;
const IF_MATCH = {
  name: 'If-Match',
  required: true,
  description: 'ETag of the choice that was edited, "0" for the first',
  example: '"3"',
};

/** What a person decides about reference data: dimensions, vendors that could be several, companies. */
@ApiTags('Reference data')
@ApiBearerAuth()
@Controller('api/v1/reference-data')
export class ReferenceDataController {
  constructor(private readonly referenceDataService: ReferenceDataService) {}

  /** Dimensions of the ERP, and which of them are tag groups on the platform. */
  @Get('dimensions')
  @Access('viewer')
  @ApiOkResponse({ type: DimensionsResponse })
  async dimensions(
    @Caller() { installationId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DimensionsResponse> {
    const { choice, dimensions } = await mapSyncErrors(this.referenceDataService.dimensions(installationId));
    const version = choice?.version ?? 0;
    setEtag(reply, version);
    return { version, chosen: choice?.codes ?? null, chosenBy: choice?.chosenBy ?? null, dimensions };
  }

  /** Chooses up to five dimensions; a run makes them tag groups, and archives the tag groups of the others. */
  @Put('dimensions')
  @Access('admin')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ChosenDimensionsResponse })
  async chooseDimensions(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() body: DimensionsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChosenDimensionsResponse> {
    const seen = expectedVersionOf(ifMatch);
    const chosen = await mapSyncErrors(
      this.referenceDataService.saveDimensionChoice(caller.installationId, seen, body.codes, caller.name),
    );
    switch (chosen.outcome) {
      case 'chosen':
        setEtag(reply, chosen.choice.version);
        return { version: chosen.choice.version, chosen: chosen.choice.codes };
      case 'stale':
        throw new Problem({
          status: 412,
          type: 'version-changed',
          detail:
            'The choice has changed meanwhile. Read it again, repeat your change, and save with the new ETag.',
        });
      case 'too-many':
        throw new Problem({
          status: 422,
          type: 'too-many-dimensions',
          detail: 'At most five can be chosen.',
        });
      case 'unknown':
        throw new Problem({
          status: 422,
          type: 'unknown-dimension',
          detail: `The ERP has no active dimension ${chosen.codes.join(', ')}.`,
          errors: chosen.codes.map((code) => ({
            pointer: `/codes/${body.codes.indexOf(code).toString()}`,
            detail: 'The ERP has no active dimension with this code.',
          })),
        });
    }
  }

  /** Vendors of the platform that wait for a person, with the ERP's vendors they could be. */
  @Get('vendor-matches')
  @Access('viewer')
  @ApiOkResponse({ type: VendorMatchesResponse })
  async vendorMatches(
    @Caller() { installationId }: Principal,
    @Query() query: PageQuery,
  ): Promise<VendorMatchesResponse> {
    const [after] = query.after === undefined ? [] : decodeCursor(query.after, [UUID]);
    if (after !== undefined && !isUuid(after)) {
      throw new Problem({
        status: 400,
        type: 'invalid-cursor',
        detail: 'The cursor "after" is none that this list gave out.',
      });
    }
    const matches = await this.referenceDataService.waitingVendors(installationId, after, query.limit + 1);
    const data = matches.slice(0, query.limit);
    const last = matches.length > query.limit ? data.at(-1) : undefined;
    return { data, nextCursor: last === undefined ? null : encodeCursor([last.platformVendorId]) };
  }

  /** Decides about a vendor that waits; a run carries it out. */
  @Post('vendor-matches/:platformVendorId/decision')
  @Idempotent()
  @HttpCode(202)
  @Access('admin')
  @ApiAcceptedResponse()
  async decideVendor(
    @Caller() caller: Principal,
    @Param('platformVendorId') platformVendorId: string,
    @Body() { decision, erpVendorNumber }: VendorDecisionRequest,
  ): Promise<void> {
    const decided = isUuid(platformVendorId)
      ? await mapSyncErrors(
          this.referenceDataService.saveVendorDecision(
            caller.installationId,
            platformVendorId.toLowerCase(),
            decision === 'link' ? { decision, number: erpVendorNumber ?? '' } : { decision },
            caller.name,
          ),
        )
      : { outcome: 'not-waiting' as const };
    switch (decided.outcome) {
      case 'decided':
        return;
      case 'not-waiting':
        throw new Problem({ status: 404, type: 'not-found', detail: 'No such vendor waits for a decision.' });
      case 'unknown-number': {
        const detail = 'The ERP has no vendor with this number that may be used.';
        const errors = [{ pointer: '/erpVendorNumber', detail }];
        throw new Problem({ status: 422, type: 'unknown-vendor', detail, errors });
      }
    }
  }

  /** Companies of the platform that the connection may see, searched by name or registration number. */
  @Get('companies')
  @InteractivePlatformRequest()
  @Access('viewer')
  @ApiOkResponse({ type: CompaniesResponse })
  async companies(
    @Caller() { installationId }: Principal,
    @Query() { search, organizationId }: CompaniesQuery,
  ): Promise<CompaniesResponse> {
    const limit = MAX_COMPANIES;
    const found = await mapPlatformErrors(
      mapPermissionErrors(
        this.referenceDataService.companies(installationId, { organizationId, text: search, limit }),
      ),
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

/** @throws Problem 409 when a side is not connected, 503 when the ERP could not be asked */
async function mapSyncErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await mapErpErrors(work);
  } catch (error) {
    if (error instanceof SyncBlocked) {
      throw new Problem({ status: 409, type: 'not-connected', detail: error.message, cause: error });
    }
    throw error;
  }
}

/** @throws Problem 409 when the platform does not let us ask */
async function mapPermissionErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isRefusal = error instanceof PlatformRefusal && error.status < 500 && error.status !== 429;
    if (error instanceof AuthorizationLost || isRefusal) {
      const detail = 'The platform does not let the connector ask for this: connect the company again.';
      throw new Problem({ status: 409, type: 'not-authorized', detail, cause: error });
    }
    throw error;
  }
}
