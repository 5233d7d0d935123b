import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { CertificateReader } from '../../reconciliation/certificates/certificate.reader.js';
import type { Certificate, CertifiedSource } from '../../reconciliation/domain/certificate.js';
import { CertificateResponse, CertificatesResponse, type CertifiedSideResponse } from './certificates.dto.js';
import { moneyOf } from '../http/money.dto.js';
import { PageQuery } from '../http/page.dto.js';
import { BIG_NUMBER, PagedList } from '../http/page.js';
import { notFound } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';

const CERTIFICATES = new PagedList({ sequence: BIG_NUMBER });

@ApiTags('Reconciliation')
@Controller('api/v1/certificates')
export class CertificatesController {
  constructor(private readonly certificateReader: CertificateReader) {}

  @Get()
  @ApiOperation({
    summary: 'List certificates',
    description: 'Certificates of ended jobs: what each posted, in a hash chain.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: CertificatesResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<CertificatesResponse> {
    const { data, nextCursor } = await CERTIFICATES.page(query, (after, limit) =>
      this.certificateReader.list(installationId, after?.sequence, limit),
    );
    return { data: data.map(toResponse), nextCursor };
  }

  @Get(':exportJobId')
  @ApiOperation({ summary: 'Read the certificate of an export job', description: 'The certificate of one job.' })
  @Access('viewer')
  @ApiOkResponse({ type: CertificateResponse })
  async read(@Caller() { installationId }: Principal, @Param('exportJobId') id: string): Promise<CertificateResponse> {
    const certificate = isUuid(id) ? await this.certificateReader.findByJob(installationId, id) : undefined;
    if (certificate === undefined) {
      throw notFound(message('problem.not-found.certificate'));
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
    planned: withMoney(planned),
    erp: erp && withMoney(erp),
    discrepancies,
  };
}

function withMoney(side: CertifiedSource): CertifiedSideResponse {
  const totals = side.totals.map((total) => ({
    ...total,
    debit: moneyOf(total.debitMinor, total.currency),
    credit: moneyOf(total.creditMinor, total.currency),
  }));
  return { ...side, totals };
}
