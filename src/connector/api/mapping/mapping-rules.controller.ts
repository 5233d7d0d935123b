import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiCreatedResponse, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import type { ChangeProblem, RuleUpsert } from '../../mapping/domain/rule-change-set.js';
import { CheckRules } from '../../mapping/check-rules.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { SaveRuleChanges } from '../../mapping/save-rule-changes.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { LongPageQuery } from '../http/page.dto.js';
import { expectedVersionOf, IF_MATCH, setEtag, staleVersion } from '../http/if-match.js';
import { ruleNotFound, settingsMissing, successOf, versionNotFound } from '../http/outcome-problems.js';
import { NUMBER, PagedList, textKey } from '../http/page.js';
import { problem } from '../http/problems.js';
import { parseUpserts, parseRule, rejectedChanges, ruleIdOf } from './mapping-rule-requests.js';
import {
  ChangedRulesResponse,
  FindingsResponse,
  toFinding,
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

const RULE_NUMBER = textKey(/^\d{1,9}$/);
/** Further pages are of the version of the first. */
const RULES = new PagedList({ version: NUMBER, id: RULE_NUMBER });
/** A rule has at most one finding, so its number is the position in the list. */
const FINDINGS = new PagedList({ ruleId: RULE_NUMBER });
const CHANGES_BYTES = 2 * 1_024 * 1_024;

/** Rules: which ERP account, tax code or dimension value a code of the platform becomes, where the codes differ. */
@ApiTags('Mapping rules')
@Controller('api/v1/mapping/rules')
export class MappingRulesController {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly saveRuleChanges: SaveRuleChanges,
    private readonly checkRules: CheckRules,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List rules',
    description: 'The rules of a version, by number. Further pages are of the same version, even after a later save.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: RulesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: RulesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RulesResponse> {
    const version = RULES.decode(query.after)?.version ?? (await this.versionOf(installationId, query));
    const { subject, search } = query;
    const { data, nextCursor } = await RULES.page(query, async (after, limit) => {
      const filter = { subject, search, afterId: Number(after?.id ?? 0), limit };
      const rules = await this.mappingReader.listRules(installationId, version, filter);
      return rules.map((rule) => ({ version, id: rule.id, rule }));
    });
    setEtag(reply, version);
    return { version, data: data.map(({ rule }) => toRuleResponse(rule)), nextCursor };
  }

  @Post()
  @ApiOperation({ summary: 'Add a rule', description: 'Saves a new version of the mapping that has this rule, too.' })
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

  @Post('bulk')
  @ApiOperation({
    summary: 'Change many rules',
    description: 'Changes many rules at once: all of the changes are saved as one version, or none.',
  })
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
      const detail = message('problem.invalid-request.too-many-changes', { most: MAX_CHANGES, count });
      throw problem('invalid-request', detail);
    }
    const changes = { upserts: parseUpserts('upserts', body.upserts), deletes: body.deletes };
    return this.save(caller, seen, reason, changes, reply, ({ list, index, field }) =>
      [`/${list}`, index.toString(), ...(field === undefined ? [] : [field])].join('/'),
    );
  }

  @Get('findings')
  @ApiOperation({
    summary: 'List findings about rules',
    description: 'Rules of the newest version that never apply, change nothing, or have a target that the ERP lacks.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: FindingsResponse })
  async findings(
    @Caller() { installationId }: Principal,
    @Query() query: LongPageQuery,
    @ReaderLanguage() language: string,
  ): Promise<FindingsResponse> {
    const position = FINDINGS.decode(query.after);
    const found = await this.checkRules.checkLatest(installationId);
    if (found === undefined) {
      throw settingsMissing();
    }
    const { version, targetsChecked } = found;
    const rest = found.findings.filter(({ ruleId }) => Number(ruleId) > Number(position?.ruleId ?? 0));
    const { data, nextCursor } = FINDINGS.pageOf(query.limit, rest);
    return { version, targetsChecked, data: data.map((finding) => toFinding(finding, language)), nextCursor };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a rule', description: 'The rule as it is in the newest version of the mapping.' })
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
      throw ruleNotFound();
    }
    setEtag(reply, version);
    return toSavedRule(rule, version);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Replace a rule', description: 'Replaces the content of a rule; its number stays.' })
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
  @ApiOperation({ summary: 'Remove a rule', description: 'Saves a new version of the mapping without this rule.' })
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
    const saved = successOf(
      await this.saveRuleChanges.saveIfUnchanged(caller.installationId, seen, changes, author),
      ['saved'],
      {
        stale: staleVersion,
        'no-settings': settingsMissing,
        refused: ({ problems }) => rejectedChanges(problems, pointerOf),
      },
    );
    const version = saved.record?.version ?? seen;
    setEtag(reply, version);
    return { version, ids: saved.ids };
  }

  private async versionOf(
    installationId: Principal['installationId'],
    { version }: { readonly version?: number },
  ): Promise<number> {
    if (version === undefined) {
      return (await this.mappingReader.latestSettings(installationId))?.version ?? 0;
    }
    if ((await this.mappingReader.findRecord(installationId, version)) === undefined) {
      throw versionNotFound();
    }
    return version;
  }
}
