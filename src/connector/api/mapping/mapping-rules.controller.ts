import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import type { ChangeProblem, RuleUpsert } from '../../mapping/domain/rule-change-set.js';
import { CheckRules } from '../../mapping/check-rules.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { SaveRuleChanges } from '../../mapping/save-rule-changes.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import {
  IF_MATCH,
  expectedVersionOf,
  setEtag,
  settingsMissing,
  staleVersion,
  unknownVersion,
  versionAfter,
} from './mapping-preconditions.js';
import {
  parseRuleChanges,
  parseRule,
  rejectedChanges,
  ruleIdOf,
  unknownRule,
} from './mapping-rule-requests.js';
import {
  ChangedRulesResponse,
  FindingsResponse,
  MAX_CHANGES,
  ReasonQuery,
  RULE_EXAMPLES,
  RuleChangesRequest,
  RuleRequest,
  RulesQuery,
  RulesResponse,
  SavedRuleResponse,
  toRuleResponse,
  toSavedRule,
  VersionQuery,
} from './mapping-rules.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { mapErpErrors } from '../http/erp-problems.js';

const NUMBER = /^\d{1,9}$/;
const CHANGES_BYTES = 2 * 1_024 * 1_024;

/** Which account, tax code or dimension value something of the platform becomes, where its own code does not say it. */
@ApiTags('Mapping rules')
@ApiBearerAuth()
@Controller('api/v1/mapping/rules')
export class MappingRulesController {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly saveRuleChanges: SaveRuleChanges,
    private readonly checkRules: CheckRules,
  ) {}

  /** The rules of a version, by number. Further pages are of the same version, whatever is saved meanwhile. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: RulesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: RulesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RulesResponse> {
    const [ofPage, after] =
      query.after === undefined ? [undefined, '0'] : decodeCursor(query.after, [NUMBER, NUMBER]);
    const version = ofPage === undefined ? await this.versionOf(installationId, query) : Number(ofPage);
    const { subject, search, limit } = query;
    const filter = { subject, search, afterId: Number(after), limit: limit + 1 };
    const rules = await this.mappingReader.listRules(installationId, version, filter);
    const data = rules.slice(0, limit).map(toRuleResponse);
    const last = rules.length > limit ? data.at(-1) : undefined;
    setEtag(reply, version);
    return { version, data, nextCursor: last === undefined ? null : encodeCursor([version, last.id]) };
  }

  /** Adds a rule. */
  @Post()
  @Idempotent()
  @Access('bookkeeper')
  @ApiHeader(IF_MATCH)
  @ApiBody({ type: RuleRequest, examples: RULE_EXAMPLES })
  @ApiCreatedResponse({ type: SavedRuleResponse })
  async create(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Body() body: RuleRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SavedRuleResponse> {
    return this.saveOne(caller, expectedVersionOf(ifMatch), reason, { rule: parseRule(body) }, reply);
  }

  /** Many rules at once: all of the changes are saved as one version, or none. */
  @Post('bulk')
  @Idempotent()
  @HttpCode(200)
  @Access('bookkeeper')
  @RouteConfig({ bodyLimit: CHANGES_BYTES })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ChangedRulesResponse })
  async change(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Body() body: RuleChangesRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangedRulesResponse> {
    const seen = expectedVersionOf(ifMatch);
    const count = body.upserts.length + body.deletes.length;
    if (count === 0 || count > MAX_CHANGES) {
      const detail = `A request changes 1 to ${MAX_CHANGES.toString()} rules; this one names ${count.toString()}. Import a file for more.`;
      throw new Problem({ status: 400, type: 'invalid-request', detail });
    }
    const changes = { upserts: parseRuleChanges(body), deletes: body.deletes };
    return this.save(caller, seen, reason, changes, reply, ({ list, index, field }) =>
      [`/${list}`, index.toString(), ...(field === undefined ? [] : [field])].join('/'),
    );
  }

  /** Rules of the newest version that decide nothing, change nothing, or send to what the ERP does not have. */
  @Get('findings')
  @Access('viewer')
  @ApiOkResponse({ type: FindingsResponse })
  async findings(
    @Caller() { installationId }: Principal,
    @Query() query: PageQuery,
  ): Promise<FindingsResponse> {
    const [after] = query.after === undefined ? ['0'] : decodeCursor(query.after, [NUMBER]);
    const found = await mapErpErrors(this.checkRules.checkLatest(installationId));
    if (found === undefined) {
      throw settingsMissing();
    }
    // A rule has at most one finding, so its number is the place in the list.
    const rest = found.findings.filter(({ ruleId }) => Number(ruleId) > Number(after));
    const data = rest.slice(0, query.limit);
    const last = rest.length > query.limit ? data.at(-1) : undefined;
    const { version, targetsChecked } = found;
    return {
      version,
      targetsChecked,
      data,
      nextCursor: last === undefined ? null : encodeCursor([last.ruleId]),
    };
  }

  @Get(':id')
  @Access('viewer')
  @ApiOkResponse({ type: SavedRuleResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @Query() query: VersionQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SavedRuleResponse> {
    const version = await this.versionOf(installationId, query);
    const rule = await this.mappingReader.findRule(installationId, version, Number(ruleIdOf(id)));
    if (rule === undefined) {
      throw unknownRule();
    }
    setEtag(reply, version);
    return toSavedRule(rule, version);
  }

  /** Gives a rule another content; its number stays. */
  @Put(':id')
  @Access('bookkeeper')
  @ApiHeader(IF_MATCH)
  @ApiBody({ type: RuleRequest, examples: RULE_EXAMPLES })
  @ApiOkResponse({ type: SavedRuleResponse })
  async replace(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Body() body: RuleRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SavedRuleResponse> {
    const seen = expectedVersionOf(ifMatch);
    const upsert = { id: ruleIdOf(id), rule: parseRule(body) };
    return this.saveOne(caller, seen, reason, upsert, reply);
  }

  @Delete(':id')
  @Access('bookkeeper')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ChangedRulesResponse })
  async remove(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangedRulesResponse> {
    const seen = expectedVersionOf(ifMatch);
    return this.save(caller, seen, reason, { upserts: [], deletes: [ruleIdOf(id)] }, reply, () => '');
  }

  private async saveOne(
    caller: Principal,
    seen: number,
    reason: string | undefined,
    upsert: RuleUpsert,
    reply: FastifyReply,
  ): Promise<SavedRuleResponse> {
    const changes = { upserts: [upsert], deletes: [] };
    const { version, ids } = await this.save(caller, seen, reason, changes, reply, ({ field }) =>
      field === undefined ? '' : `/${field}`,
    );
    return toSavedRule({ ...upsert.rule, id: ids[0] ?? '' }, version);
  }

  private async save(
    caller: Principal,
    seen: number,
    reason: string | undefined,
    changes: { readonly upserts: readonly RuleUpsert[]; readonly deletes: readonly string[] },
    reply: FastifyReply,
    pointerOf: (problem: ChangeProblem) => string,
  ): Promise<ChangedRulesResponse> {
    const author = { name: caller.name, reason };
    const saved = await mapErpErrors(
      this.saveRuleChanges.saveIfUnchanged(caller.installationId, seen, changes, author),
    );
    switch (saved.outcome) {
      case 'stale':
        throw staleVersion();
      case 'no-settings':
        throw settingsMissing();
      case 'refused':
        throw rejectedChanges(saved.problems, pointerOf);
      case 'saved': {
        const version = versionAfter(saved.record, seen);
        setEtag(reply, version);
        return { version, ids: saved.ids };
      }
    }
  }

  private async versionOf(
    installationId: Principal['installationId'],
    { version }: { readonly version?: number },
  ): Promise<number> {
    if (version === undefined) {
      return (await this.mappingReader.latestSettings(installationId))?.version ?? 0;
    }
    if ((await this.mappingReader.findRecord(installationId, version)) === undefined) {
      throw unknownVersion();
    }
    return version;
  }
}
