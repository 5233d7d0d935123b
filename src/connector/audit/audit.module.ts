import { Module } from '@nestjs/common';
import { AuditLogReader } from './audit-log.reader.js';
import { ClearOldAddresses } from './clear-old-addresses.js';
import { RecordDownload } from './record-download.js';
import { VerifyAudit } from './verify-audit.js';

@Module({
  providers: [AuditLogReader, ClearOldAddresses, RecordDownload, VerifyAudit],
  exports: [AuditLogReader, ClearOldAddresses, RecordDownload, VerifyAudit],
})
export class AuditModule {}
