import { Controller, Get, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { AuditLogReader } from '../../audit/audit-log.reader.js';
import type { AuditEntry } from '../../audit/domain/audit-entry.js';
import { VerifyAudit, type AuditVerification } from '../../audit/verify-audit.js';
import {
  AuditQuery,
  AuditResponse,
  AuditVerificationQuery,
  AuditVerificationResponse,
  type AuditEntryResponse,
} from './audit.dto.js';
import { DownloadLimiter } from '../downloads/download-limiter.js';
import { BIG_NUMBER, PagedList, textKey } from '../http/page.js';
import { Caller, type Principal } from '../http/principal.js';

const ENTRIES = new PagedList({ position: BIG_NUMBER });
const VERIFIED_UP_TO = new PagedList({ position: BIG_NUMBER, hash: textKey(/^[0-9a-f]{64}$/) });

@ApiTags('Audit')
@Controller('api/v1/audit')
export class AuditController {
  constructor(
    private readonly auditLogReader: AuditLogReader,
    private readonly verifyAudit: VerifyAudit,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List changes', description: 'Changes, newest first, each with its actor.' })
  @Access('admin')
  @ApiOkResponse({ type: AuditResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: AuditQuery): Promise<AuditResponse> {
    const { object, objectId, actor, from, to } = query;
    const { data, nextCursor } = await ENTRIES.page(query, (after, limit) =>
      this.auditLogReader.list(installationId, {
        ...{ object, objectId, actor, limit },
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        below: after?.position,
      }),
    );
    return { data: data.map(toResponse), nextCursor };
  }

  @Get('verification')
  @ApiOperation({
    summary: 'Verify the audit log',
    description: 'Checks that the log is unchanged. A long log takes several calls.',
  })
  @Access('admin')
  @ApiOkResponse({ type: AuditVerificationResponse })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is under way' })
  async verify(
    @Caller() { installationId }: Principal,
    @Query() { after }: AuditVerificationQuery,
  ): Promise<AuditVerificationResponse> {
    const start = VERIFIED_UP_TO.decode(after);
    return toVerification(
      await this.downloadLimiter.withLimit(installationId, () => this.verifyAudit.verify(installationId, start)),
    );
  }
}

function toVerification({ end, firstBroken, head, more }: AuditVerification): AuditVerificationResponse {
  return {
    intact: firstBroken === undefined,
    verifiedUpTo: Number(end.position),
    firstBroken:
      firstBroken === undefined ? null : { reason: firstBroken.reason, position: Number(firstBroken.position) },
    head: { position: Number(head.position), hash: head.hash },
    nextCursor: more ? VERIFIED_UP_TO.encode(end) : null,
  };
}

function toResponse(entry: AuditEntry): AuditEntryResponse {
  return { ...entry, position: Number(entry.position) };
}
