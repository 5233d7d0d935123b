import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { AttachDocument } from './attach-document.js';
import { AttachmentReader } from './attachment.reader.js';
import { AttachmentRepository } from './attachment.repository.js';
import { AttachmentsController } from './attachments.controller.js';
import { StoreDocument } from './store-document.js';

@Module({
  imports: [CompaniesModule],
  controllers: [AttachmentsController],
  providers: [AttachDocument, AttachmentReader, AttachmentRepository, StoreDocument],
  exports: [AttachmentRepository],
})
export class AttachmentsModule {}
