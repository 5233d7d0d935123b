import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import {
  CertificatesService,
  type Certificate,
} from '../../reconciliation/certificates/certificates.service.js';
import { CertificateResponse, CertificatesResponse } from './certificates.dto.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { Caller, type Principal } from '../http/principal.js';

const SEQUENCE = /^\d{1,18}$/;

@ApiTags('Reconciliation')
@ApiBearerAuth()
@Controller('api/v1/certificates')
export class CertificatesController {
  constructor(private readonly certificatesService: CertificatesService) {}

  /** What each ended job has left in the books, chained one to the other. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: CertificatesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { after, limit }: PageQuery,
  ): Promise<CertificatesResponse> {
    const [sequence] = after === undefined ? [] : decodeCursor(after, [SEQUENCE]);
    const start = sequence === undefined ? undefined : BigInt(sequence);
    const found = await this.certificatesService.list(installationId, start, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.sequence.toString()]),
    };
  }

  /** The certificate of one job. */
  @Get(':exportJobId')
  @Access('viewer')
  @ApiOkResponse({ type: CertificateResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('exportJobId') id: string,
  ): Promise<CertificateResponse> {
    const certificate = isUuid(id) ? await this.certificatesService.findByJob(installationId, id) : undefined;
    if (certificate === undefined) {
      throw new Problem({
        status: 404,
        type: 'not-found',
        detail: 'There is no certificate of such a job: it is made soon after the job has ended.',
      });
    }
    return toResponse(certificate);
  }
}

function toResponse(certificate: Certificate): CertificateResponse {
  const { exportJobId, erpCompanyId, jobState, mappingVersion, items, planned, erp } = certificate;
  const { sequence, discrepancies, madeAt, previousHash, hash } = certificate;
  const chained = { sequence: sequence.toString(), previousHash, hash, madeAt };
  return {
    ...chained,
    exportJobId,
    erpCompanyId,
    jobState,
    mappingVersion,
    items,
    planned,
    erp,
    discrepancies: discrepancies,
  };
}
