import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { countChanges } from '../../mapping/domain/mapping-diff.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { RestoreVersion } from '../../mapping/restore-version.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { PageQuery } from '../http/page.dto.js';
import { expectedVersionOf, IF_MATCH, setEtag } from '../http/if-match.js';
import { RESTORE_VERSION, successOf, versionNotFound } from '../http/outcome-problems.js';
import { NUMBER, PagedList, textKey } from '../http/page.js';
import { ReasonQuery } from './mapping-rules.dto.js';
import {
  DiffResponse,
  FullVersionResponse,
  RestoredResponse,
  toVersionResponse,
  VersionsResponse,
} from './mapping-versions.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { toRuleChangeResponse } from './rule-change-response.js';

const VERSION = /^\d{1,9}$/;
const VERSIONS = new PagedList({ version: NUMBER });
/** By number of the rule. */
const RULE_CHANGES = new PagedList({ id: textKey(/^\d{1,9}$/) });
const ABOVE_ALL = 2_147_483_647;

/** Every save of settings or rules: author, time, reason and changes. */
@ApiTags('Mapping versions')
@Controller('api/v1/mapping/versions')
export class MappingVersionsController {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly restoreVersion: RestoreVersion,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List mapping versions',
    description: 'Versions of the mapping, newest first: who saved each, when and why.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: VersionsResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<VersionsResponse> {
    const { data, nextCursor } = await VERSIONS.page(query, (before, limit) =>
      this.mappingReader.listRecords(installationId, before?.version ?? ABOVE_ALL, limit),
    );
    return { data: data.map(toVersionResponse), nextCursor };
  }

  @Get(':version')
  @ApiOperation({
    summary: 'Read a mapping version',
    description: 'Who saved the version, when and why, with its settings.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: FullVersionResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('version') text: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FullVersionResponse> {
    const found = await this.mappingReader.findRecord(installationId, versionOf(text));
    if (found === undefined) {
      throw versionNotFound();
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

  @Post(':version/restore')
  @ApiOperation({
    summary: 'Restore a mapping version',
    description: 'Saves a new version with the settings and rules of this one.',
  })
  @Idempotent()
  @HttpCode(200)
  @Access('admin')
  @RecentSignIn()
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
    const { record } = successOf(
      await this.restoreVersion.restore(caller.installationId, seen, versionOf(text), author),
      ['saved'],
      RESTORE_VERSION,
    );
    const version = record?.version ?? seen;
    setEtag(reply, version);
    return { version };
  }

  @Get(':from/diff/:to')
  @ApiOperation({
    summary: 'Compare two mapping versions',
    description: 'The changes from one version to another; version 0 is the empty state before the first.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: DiffResponse })
  async diff(
    @Caller() { installationId }: Principal,
    @Param('from') from: string,
    @Param('to') to: string,
    @Query() query: PageQuery,
  ): Promise<DiffResponse> {
    const position = RULE_CHANGES.decode(query.after);
    const found = await this.mappingReader.compareVersions(installationId, versionOf(from), versionOf(to));
    if (found === undefined) {
      throw versionNotFound();
    }
    const rest = found.rules.filter(({ id }) => Number(id) > Number(position?.id ?? 0));
    const { data, nextCursor } = RULE_CHANGES.pageOf(query.limit, rest);
    return {
      settings: found.settings,
      counts: countChanges(found.rules),
      rules: data.map(toRuleChangeResponse),
      nextCursor,
    };
  }
}

function versionOf(text: string): number {
  if (!VERSION.test(text)) {
    throw versionNotFound();
  }
  return Number(text);
}
