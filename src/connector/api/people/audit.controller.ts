import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { AuditService, type AuditEntry, type AuditVerification } from '../../audit/audit.service.js';
import {
  AuditQuery,
  AuditResponse,
  AuditVerificationQuery,
  AuditVerificationResponse,
  type AuditEntryResponse,
} from './audit.dto.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { DownloadLimiter } from '../http/download-limiter.js';
import { Caller, type Principal } from '../http/principal.js';

const POSITION = /^\d{1,15}$/;
const HASH = /^[0-9a-f]{64}$/;

@ApiTags('Audit')
@ApiBearerAuth()
@Controller('api/v1/audit')
export class AuditController {
  constructor(
    private readonly auditService: AuditService,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  /** Who changed what, newest first. */
  @Get()
  @Access('admin')
  @ApiOkResponse({ type: AuditResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { object, objectId, actor, from, to, after, limit }: AuditQuery,
  ): Promise<AuditResponse> {
    const [below] = after === undefined ? [] : decodeCursor(after, [POSITION]);
    const found = await this.auditService.list(installationId, {
      ...{ object, objectId, actor, limit: limit + 1 },
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      below: below === undefined ? undefined : BigInt(below),
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.position.toString()]),
    };
  }

  /** Whether the log is as it was written. A long one is checked in several calls. */
  @Get('verification')
  @Access('admin')
  @ApiOkResponse({ type: AuditVerificationResponse })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is under way' })
  async verify(
    @Caller() { installationId }: Principal,
    @Query() { after }: AuditVerificationQuery,
  ): Promise<AuditVerificationResponse> {
    const [position, hash] = after === undefined ? [] : decodeCursor(after, [POSITION, HASH]);
    const start =
      position === undefined || hash === undefined ? undefined : { position: BigInt(position), hash };
    return toVerification(
      await this.downloadLimiter.withLimit(installationId, () =>
        this.auditService.verify(installationId, start),
      ),
    );
  }
}

function toVerification({ end, firstBroken, head, more }: AuditVerification): AuditVerificationResponse {
  return {
    intact: firstBroken === undefined,
    verifiedUpTo: Number(end.position),
    firstBroken:
      firstBroken === undefined
        ? null
        : { reason: firstBroken.reason, position: Number(firstBroken.position) },
    head: { position: Number(head.position), hash: head.hash },
    nextCursor: more ? encodeCursor([end.position.toString(), end.hash]) : null,
  };
}

function toResponse(entry: AuditEntry): AuditEntryResponse {
  return { ...entry, position: Number(entry.position) };
}
