import { Module } from '@nestjs/common';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditLogReader } from './audit-log.reader.js';
import { VerifyAudit } from './verify-audit.js';

@Module({
  providers: [AuditEntryRepository, AuditLogReader, VerifyAudit],
  exports: [AuditLogReader, VerifyAudit],
})
export class AuditModule {}
