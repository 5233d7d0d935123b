import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { CurrentCaller, type Caller } from '../access/caller.js';
import {
  CompanyQuery,
  EmptyResponse,
  JsonResponse,
  JsonBody,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { ApiError } from '../wire/api-error.js';
import { parseBody, type Query as QueryParameters } from '../wire/parse-request.js';
import { companiesOfQuery } from '../companies/company-access.js';
import { ChangeInstallation, installationNotFound } from './change-installation.js';
import { EndInstallation } from './end-installation.js';
import { INSTALLATION_STATUSES, installationResponseSchema, installationWire } from './installation.js';

const metadata = z.record(z.string(), z.unknown());
const createSchema = z.object({
  metadata: metadata.nullish(),
  status: z.enum(INSTALLATION_STATUSES).nullish(),
});
const updateSchema = z.object({
  status: z.enum(INSTALLATION_STATUSES),
  errorCode: z.enum(['NOT_ENTITLED', 'AUTH_ERROR']).nullish(),
  metadata: metadata.nullish(),
});

/** The caller's own installation. Served with and without the prefix: it is documented both ways (P3.6). */
@PlatformApi('installations')
@ErrorResponses(404)
@Controller(['v1/installations', 'installations'])
export class InstallationController {
  constructor(
    private readonly changeInstallation: ChangeInstallation,
    private readonly endInstallation: EndInstallation,
  ) {}

  /** A `company_id` says which company is meant; the installation is the same for all that the credential covers. */
  @Get('me')
  @CompanyQuery()
  @JsonResponse(installationResponseSchema)
  async get(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    companiesOfQuery(caller, query);
    return installationWire(await this.changeInstallation.get(caller));
  }

  @Post('me')
  @HttpCode(200)
  @JsonBody(createSchema, false)
  @JsonResponse(installationResponseSchema)
  async create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const given = parseBody(createSchema, body ?? {});
    const fields = { metadata: given.metadata ?? {}, status: given.status ?? 'AUTHORIZED' };
    return installationWire(await this.changeInstallation.create(caller, fields));
  }

  @Put('me')
  @JsonBody(updateSchema)
  @JsonResponse(installationResponseSchema)
  async update(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const change = parseBody(updateSchema, body);
    const changed = await this.changeInstallation.change(caller, (installation) => ({
      status: change.status,
      errorCode: change.errorCode ?? null,
      metadata: change.metadata ?? installation.metadata,
    }));
    return installationWire(changed);
  }

  @Delete('me')
  @HttpCode(204)
  @EmptyResponse(204)
  async remove(@CurrentCaller() caller: Caller): Promise<void> {
    if (!(await this.endInstallation.endInstallation(caller))) {
      throw installationNotFound();
    }
  }

  // A literal colon is written twice in a route pattern.
  @Post('me::activate')
  @HttpCode(200)
  @JsonResponse(installationResponseSchema)
  async activate(@CurrentCaller() caller: Caller): Promise<object> {
    if (caller.authMethod !== 'OAUTH2') {
      throw new ApiError(403, 'FORBIDDEN', 'Only an OAuth access token activates; with an API key, PUT the status.');
    }
    const activated = { status: 'ACTIVATED', errorCode: null } as const;
    return installationWire(await this.changeInstallation.change(caller, () => activated));
  }

  /** Deprecated name of `activate` (P3.6). */
  @Put('completions')
  @JsonResponse(installationResponseSchema)
  async complete(@CurrentCaller() caller: Caller): Promise<object> {
    return this.activate(caller);
  }
}
