import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { countChanges } from '../../mapping/domain/mapping-diff.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { RestoreVersion } from '../../mapping/restore-version.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import {
  IF_MATCH,
  expectedVersionOf,
  setEtag,
  staleVersion,
  unknownVersion,
  versionAfter,
} from './mapping-preconditions.js';
import { ReasonQuery } from './mapping-rules.dto.js';
import {
  DiffResponse,
  FullVersionResponse,
  RestoredResponse,
  toVersionResponse,
  VersionsResponse,
} from './mapping-versions.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { toRuleChangeResponse } from './rule-change-response.js';

const NUMBER = /^\d{1,9}$/;
const ABOVE_ALL = 2_147_483_647;

/** Every save of settings or rules, kept as it was: who, when, why, and what was different. */
@ApiTags('Mapping versions')
@ApiBearerAuth()
@Controller('api/v1/mapping/versions')
export class MappingVersionsController {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly restoreVersion: RestoreVersion,
  ) {}

  /** Newest first. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: VersionsResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<VersionsResponse> {
    const [before] = query.after === undefined ? [ABOVE_ALL] : decodeCursor(query.after, [NUMBER]);
    const records = await this.mappingReader.listRecords(installationId, Number(before), query.limit + 1);
    const data = records.slice(0, query.limit).map(toVersionResponse);
    const last = records.length > query.limit ? data.at(-1) : undefined;
    return { data, nextCursor: last === undefined ? null : encodeCursor([last.version]) };
  }

  @Get(':version')
  @Access('viewer')
  @ApiOkResponse({ type: FullVersionResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('version') text: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FullVersionResponse> {
    const found = await this.mappingReader.findRecord(installationId, versionOf(text));
    if (found === undefined) {
      throw unknownVersion();
    }
    const { version, settings } = found;
    setEtag(reply, version);
    const { accounts, policies } = settings;
    const before = (version - 1).toString();
    return Object.assign(toVersionResponse(found), {
      settings: { accounts, policies },
      rulesUrl: `/api/v1/mapping/rules?version=${version.toString()}`,
      diffUrl: `/api/v1/mapping/versions/${before}/diff/${version.toString()}`,
    });
  }

  /** Makes a new version with the settings and rules of this one. */
  @Post(':version/restore')
  @Idempotent()
  @HttpCode(200)
  @Access('admin')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: RestoredResponse })
  async restore(
    @Caller() caller: Principal,
    @Param('version') text: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RestoredResponse> {
    const seen = expectedVersionOf(ifMatch);
    const author = { name: caller.name, reason };
    const restored = await this.restoreVersion.restore(caller.installationId, seen, versionOf(text), author);
    switch (restored.outcome) {
      case 'unknown-version':
        throw unknownVersion();
      case 'stale':
        throw staleVersion();
      case 'saved': {
        const version = versionAfter(restored.record, seen);
        setEtag(reply, version);
        return { version };
      }
    }
  }

  /** What is different from one version to another; version 0 is the state before the first. */
  @Get(':from/diff/:to')
  @Access('viewer')
  @ApiOkResponse({ type: DiffResponse })
  async diff(
    @Caller() { installationId }: Principal,
    @Param('from') from: string,
    @Param('to') to: string,
    @Query() query: PageQuery,
  ): Promise<DiffResponse> {
    const [after] = query.after === undefined ? ['0'] : decodeCursor(query.after, [NUMBER]);
    const found = await this.mappingReader.compareVersions(installationId, versionOf(from), versionOf(to));
    if (found === undefined) {
      throw unknownVersion();
    }
    const rest = found.rules.filter(({ id }) => Number(id) > Number(after));
    const rules = rest.slice(0, query.limit).map(toRuleChangeResponse);
    const last = rest.length > query.limit ? rules.at(-1) : undefined;
    return {
      settings: found.settings,
      counts: countChanges(found.rules),
      rules,
      nextCursor: last === undefined ? null : encodeCursor([last.id]),
    };
  }
}

/** What is no number gets the same answer as a version that does not exist. */
function versionOf(text: string): number {
  if (!NUMBER.test(text)) {
    throw unknownVersion();
  }
  return Number(text);
}
