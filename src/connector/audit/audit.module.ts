import { Module } from '@nestjs/common';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditService } from './audit.service.js';
import { VerifyAudit } from './verify-audit.js';

@Module({
  providers: [AuditEntryRepository, VerifyAudit, AuditService],
  exports: [AuditService],
})
export class AuditModule {}
