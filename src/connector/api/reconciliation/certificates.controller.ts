import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { CertificateReader } from '../../reconciliation/certificates/certificate.reader.js';
import type { Certificate } from '../../reconciliation/domain/certificate.js';
import { CertificateResponse, CertificatesResponse } from './certificates.dto.js';
import { PageQuery } from '../http/page.dto.js';
import { BIG_NUMBER, PagedList } from '../http/page.js';
import { notFound } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';

const CERTIFICATES = new PagedList({ sequence: BIG_NUMBER });

@ApiTags('Reconciliation')
@ApiBearerAuth()
@Controller('api/v1/certificates')
export class CertificatesController {
  constructor(private readonly certificateReader: CertificateReader) {}

  /** Certificates of ended jobs: what each posted, in a hash chain. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: CertificatesResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<CertificatesResponse> {
    const { data, nextCursor } = await CERTIFICATES.page(query, (after, limit) =>
      this.certificateReader.list(installationId, after?.sequence, limit),
    );
    return { data: data.map(toResponse), nextCursor };
  }

  /** The certificate of one job. */
  @Get(':exportJobId')
  @Access('viewer')
  @ApiOkResponse({ type: CertificateResponse })
  async read(@Caller() { installationId }: Principal, @Param('exportJobId') id: string): Promise<CertificateResponse> {
    const certificate = isUuid(id) ? await this.certificateReader.findByJob(installationId, id) : undefined;
    if (certificate === undefined) {
      throw notFound('There is no certificate of such a job: it is made soon after the job has ended.');
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
    discrepancies,
  };
}
