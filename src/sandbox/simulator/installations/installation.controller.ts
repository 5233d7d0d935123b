import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard } from '../access/platform-access.guard.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import {
  CompanyQuery,
  EmptyResponse,
  JsonResponse,
  JsonBody,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseBody, parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { EndInstallation } from './end-installation.js';
import { InstallationRepository } from './installation.repository.js';
import {
  INSTALLATION_STATUSES,
  installationResponseSchema,
  installationWire,
  newInstallation,
  type Installation,
} from './installation.js';

const metadata = z.record(z.string(), z.unknown());
const createSchema = z.object({
  metadata: metadata.optional(),
  status: z.enum(INSTALLATION_STATUSES).optional(),
});
const updateSchema = z.object({
  status: z.enum(INSTALLATION_STATUSES),
  errorCode: z.enum(['NOT_ENTITLED', 'AUTH_ERROR']).nullish(),
  metadata: metadata.optional(),
});

/** The caller's own installation. Served with and without the prefix: it is documented both ways (P3.6). */
@PlatformApi('installations')
@ErrorResponses(404)
@Controller(['v1/installations', 'installations'])
@UseGuards(PlatformAccessGuard)
export class InstallationController {
  constructor(
    private readonly installationRepository: InstallationRepository,
    private readonly endInstallation: EndInstallation,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** A `company_id` says which company is meant; the installation is the same for all that the credential covers. */
  @Get('me')
  @CompanyQuery()
  @JsonResponse(installationResponseSchema)
  async get(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const companyId = queryValue(query, 'company_id');
    companiesOf(caller, companyId === undefined ? undefined : parseUuid('company_id', companyId));
    return this.database.inTransaction('get installation', async (tx) =>
      installationWire(await this.own(tx, caller)),
    );
  }

  @Post('me')
  @HttpCode(200)
  @JsonBody(createSchema, false)
  @JsonResponse(installationResponseSchema)
  async create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const { metadata: given = {}, status = 'AUTHORIZED' } = parseBody(createSchema, body ?? {});
    const fresh = newInstallation(caller, this.simulatorClock.now(), { metadata: given, status });
    return this.database.inTransaction('create installation', async (tx) => {
      const kept = await this.installationRepository.findOrAdd(tx, fresh);
      if (kept.id !== fresh.id) {
        throw new ApiError(400, 'INSTALLATION_ALREADY_EXISTS', 'This application is installed already.');
      }
      return installationWire(kept);
    });
  }

  @Put('me')
  @JsonBody(updateSchema)
  @JsonResponse(installationResponseSchema)
  async update(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const change = parseBody(updateSchema, body);
    return this.change(caller, (installation) => ({
      status: change.status,
      errorCode: change.errorCode ?? null,
      metadata: change.metadata ?? installation.metadata,
    }));
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
    return this.change(caller, () => ({ status: 'ACTIVATED', errorCode: null }));
  }

  /** Deprecated name of `activate` (P3.6). */
  @Put('completions')
  @JsonResponse(installationResponseSchema)
  async complete(@CurrentCaller() caller: Caller): Promise<object> {
    return this.activate(caller);
  }

  private async change(
    caller: Caller,
    changes: (installation: Installation) => Partial<Installation>,
  ): Promise<object> {
    return this.database.inTransaction('change installation', async (tx) => {
      const installation = await this.own(tx, caller);
      const changed = { ...installation, ...changes(installation), updatedAt: this.simulatorClock.now() };
      await this.installationRepository.change(tx, changed);
      return installationWire(changed);
    });
  }

  private async own(tx: Tx, caller: Caller): Promise<Installation> {
    const found = await this.installationRepository.find(tx, caller);
    if (found === undefined) {
      throw installationNotFound();
    }
    return found;
  }
}

function installationNotFound(): ApiError {
  return notFound('INSTALLATION_NOT_FOUND', 'Installation not found.');
}
