import { Controller, Get, Param } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { FORMATS } from '../../http/response-format.js';
import { TabularResponse } from '../../http/tabular-response.js';
import { figure, sheet, text } from '../../http/sheet.js';
import { AuditChainDto } from './audit-chain.dto.js';
import { VerifyAuditChain } from './verify-audit-chain.js';

const auditChainSheet = sheet<AuditChainDto, AuditChainDto>({
  fileName: () => 'audit-chain',
  rows: (chain) => [chain],
  columns: [
    figure('entries', (chain) => chain.entries),
    text('intact', (chain) => chain.intact),
    figure('brokenPosition', (chain) => chain.firstBroken?.position),
    text('brokenEntryId', (chain) => chain.firstBroken?.entryId),
    text('brokenNumber', (chain) => chain.firstBroken?.number),
    text('brokenReason', (chain) => chain.firstBroken?.reason),
    figure('headPosition', (chain) => chain.head?.position),
    text('headHash', (chain) => chain.head?.hash),
  ],
});

@CompanyRoutes('reports')
@Controller('companies/:companyId/audit-chain')
export class AuditChainController {
  constructor(private readonly verifyAuditChain: VerifyAuditChain) {}

  @Get()
  @TabularResponse(
    AuditChainDto,
    auditChainSheet,
    'Whether all posted entries are as they were posted: the chain of their hashes is computed anew and compared. Takes time in proportion to the books.',
  )
  @ApiQuery({ name: 'format', enum: FORMATS, required: false, description: 'wins over the Accept header' })
  async verify(@Param('companyId') companyId: string): Promise<AuditChainDto> {
    return this.verifyAuditChain.verify(companyId);
  }
}
