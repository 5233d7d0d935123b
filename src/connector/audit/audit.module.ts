import { Module } from '@nestjs/common';
import { AuditLogReader } from './audit-log.reader.js';
import { RecordDownload } from './record-download.js';
import { VerifyAudit } from './verify-audit.js';

@Module({
  providers: [AuditLogReader, RecordDownload, VerifyAudit],
  exports: [AuditLogReader, RecordDownload, VerifyAudit],
})
export class AuditModule {}
