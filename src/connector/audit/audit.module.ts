import { Module } from '@nestjs/common';
import { AuditLogReader } from './audit-log.reader.js';
import { VerifyAudit } from './verify-audit.js';

@Module({
  providers: [AuditLogReader, VerifyAudit],
  exports: [AuditLogReader, VerifyAudit],
})
export class AuditModule {}
