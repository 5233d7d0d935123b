import { Controller, Get, Headers, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiProduces, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import type { Problem } from '../../../foundation/http/problem.js';
import { Clock } from '../../../kernel/clock.js';
import { message, type Message } from '../../../kernel/message.js';
import { countChanges } from '../../mapping/domain/mapping-diff.js';
import type { FileProblem } from '../../mapping/domain/files/file-problem.js';
import { ExportRuleFile } from '../../mapping/export-rule-file.js';
import type { RuleFileFormat, RuleFormat } from '../../mapping/rule-file.js';
import { ImportRuleFile, type RuleImportResult } from '../../mapping/import-rule-file.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { ExportQuery, ImportQuery, ImportResponse } from './mapping-files.dto.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { XLSX } from '../close/report-files.js';
import { fileDownload } from '../downloads/file-download.js';
import { expectedVersionOf, IF_MATCH, setEtag, staleVersion } from '../http/if-match.js';
import { settingsMissing, successOf, versionNotFound } from '../http/outcome-problems.js';
import { invalidValue, problem, worded } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RULE_EXAMPLES, RuleRequest } from './mapping-rules.dto.js';
import { toRuleChangeResponse } from './rule-change-response.js';
import { MappingUseReader } from '../../exports/issues/mapping-use.reader.js';

const FILE_BYTES = 5 * 1_024 * 1_024;
const IN_USE_MS = 30 * 24 * 60 * 60 * 1_000;
const MAX_ERRORS = 100;
const MAX_SHOWN_CHANGES = 100;
const FORMATS: readonly (readonly [type: RegExp, format: RuleFormat])[] = [
  [/^text\/csv\s*(;|$)/i, 'csv'],
  [/^application\/json\s*(;|$)/i, 'json'],
];
const TYPES: Readonly<Record<RuleFileFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  xlsx: XLSX,
};
const CSV = {
  type: 'string',
  description:
    'RFC 4180 in UTF-8; comma, semicolon or tab; columns subject, sourceGroup, source, itemType, tagGroup, tag, targetGroup, target. Text that a spreadsheet would compute starts with an apostrophe.',
  example: 'subject,source,target\r\naccount,6071,6072\r\n',
} as const;
const RULE_FILE = {
  type: 'object',
  required: ['rules'],
  properties: { rules: { type: 'array', items: { $ref: getSchemaPath(RuleRequest) } } },
};
const RULE_FILE_EXAMPLE = { rules: [RULE_EXAMPLES.account.value] };

/** All rules as a file, to edit with other tools and import again. */
@ApiTags('Mapping rules')
@Controller('api/v1/mapping/rules')
export class MappingFilesController {
  constructor(
    private readonly exportRuleFile: ExportRuleFile,
    private readonly importRuleFile: ImportRuleFile,
    private readonly mappingUseReader: MappingUseReader,
    private readonly clock: Clock,
  ) {}

  @Get('export')
  @ApiOperation({
    summary: 'Export rules as a file',
    description:
      'The rules of a version; importing the file into that version changes nothing. Rules of unusual length may make more than the 5 MB that are imported at once: such a file is divided, and its parts are imported one after the other with `mode=merge`.',
  })
  @Download()
  @Access('viewer')
  @ApiProduces('text/csv', 'application/json', XLSX)
  @ApiOkResponse({
    content: {
      'text/csv': { schema: CSV },
      'application/json': { schema: RULE_FILE },
      [XLSX]: { schema: { type: 'string', format: 'binary' } },
    },
  })
  async export(
    @Caller() { installationId }: Principal,
    @Query() { version, format }: ExportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Rows() rows: RowCount,
  ): Promise<StreamableFile> {
    const exported = await this.exportRuleFile.exportVersion(installationId, version, format);
    if (exported === undefined) {
      throw versionNotFound();
    }
    setEtag(reply, exported.version);
    rows.count = exported.rules;
    return fileDownload(exported.file, {
      name: `mapping-rules-${exported.version.toString()}.${format}`,
      type: TYPES[format],
    });
  }

  @Post('import')
  @ApiOperation({
    summary: 'Import rules from a file',
    description:
      'Imports rules from a file. First as a dry run, which returns what would change; then, with the checksum of that response and the same file, the import is saved as a whole or not at all. A file has at most 5 MB; a longer one is divided, and its parts are imported one after the other with `mode=merge`.',
    requestBody: {
      required: true,
      content: { 'text/csv': { schema: CSV }, 'application/json': { schema: RULE_FILE, example: RULE_FILE_EXAMPLE } },
    },
  })
  @Idempotent()
  @HttpCode(200)
  @Access('bookkeeper')
  @RouteConfig({ rawBody: true, csvBody: true, bodyLimit: FILE_BYTES })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ImportResponse })
  async import(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() query: ImportQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportResponse> {
    const seen = expectedVersionOf(ifMatch);
    checkCommit(query);
    const { mode, reason } = query;
    const { file, format } = fileOf(request);
    const { installationId } = caller;
    const since = new Date(this.clock.now().getTime() - IN_USE_MS);
    const inUse =
      mode === 'replace' ? await this.mappingUseReader.rulesInUse(installationId, since) : new Set<string>();
    const isConfirmed = query.confirm === 'true';
    const wanted = { file, format, mode, seen, checksum: query.checksum, inUse, isConfirmed };
    const author = { name: caller.name, reason };
    const imported = await this.importRuleFile.importFile(installationId, wanted, author);
    const response = toResponse(imported, seen);
    setEtag(reply, response.version);
    return response;
  }
}

interface UnreadableFile {
  readonly problem: string;
  readonly line?: number | undefined;
  readonly detail: Message;
}

const IMPORT_RULES = {
  stale: staleVersion,
  'no-settings': settingsMissing,
  'other-checksum': () => problem('checksum-mismatch', message('problem.checksum-mismatch.detail')),
  unconfirmed: ({ removedInUse }: { readonly removedInUse: readonly string[] }) => unconfirmed(removedInUse),
  unreadable: ({ reason }: { readonly reason: UnreadableFile }) => {
    const { problem: code, line = 1, detail } = reason;
    return code === 'not-text'
      ? problem('unsupported-media-type', detail)
      : invalidFile([{ line, column: undefined, code, detail }]);
  },
  refused: ({ problems }: { readonly problems: readonly FileProblem[] }) => invalidFile(problems),
};

/** @throws Problem unless the import was planned or saved */
function toResponse(imported: RuleImportResult, seen: number): ImportResponse {
  const done = successOf(imported, ['planned', 'saved'], IMPORT_RULES);
  const { checksum, changes, removedInUse, record } = done;
  return {
    checksum,
    version: record?.version ?? seen,
    saved: record !== undefined,
    counts: countChanges(changes),
    removedInUse: removedInUse.slice(0, MAX_SHOWN_CHANGES),
    changes: changes.slice(0, MAX_SHOWN_CHANGES).map(toRuleChangeResponse),
  };
}

function checkCommit({ dryRun, checksum }: ImportQuery): void {
  if ((dryRun === 'false') === (checksum !== undefined)) {
    return;
  }
  const detail =
    checksum === undefined
      ? message('problem.invalid-request.checksum-needed')
      : message('problem.invalid-request.checksum-unneeded');
  throw invalidValue('invalid-request', '/checksum', detail);
}

function fileOf(request: FastifyRequest): { readonly file: Uint8Array; readonly format: RuleFormat } {
  const type = request.headers['content-type'] ?? '';
  const format = FORMATS.find(([pattern]) => pattern.test(type))?.[1];
  const body: unknown = request.body;
  if (format === undefined || request.headers['content-encoding'] !== undefined) {
    const detail = message('problem.unsupported-media-type.rules');
    throw problem('unsupported-media-type', detail);
  }
  return { file: Buffer.isBuffer(body) ? body : Buffer.alloc(0), format };
}

function unconfirmed(ids: readonly string[]): Problem {
  const detail = message('problem.confirmation-needed.detail', { count: ids.length });
  const members = { removedInUse: ids.slice(0, MAX_SHOWN_CHANGES) };
  return problem('confirmation-needed', detail, { members });
}

function invalidFile(problems: readonly FileProblem[]): Problem {
  const isTooLong = problems.some(({ code }) => code === 'too-many-rows');
  const shown = problems.slice(0, MAX_ERRORS);
  const named = problems.length > shown.length ? 'first' : 'all';
  const detail = message('problem.invalid-rules.file', { count: problems.length, named });
  return problem(isTooLong ? 'payload-too-large' : 'invalid-rules', detail, {
    members: { errorCount: problems.length },
    errors: shown.map(({ line, column, code, detail }) => ({ line, column: column ?? null, code, ...worded(detail) })),
  });
}
