import { Module } from '@nestjs/common';
import { ItemFileRepository } from './item-file.repository.js';
import { ItemFiles } from './item-files.js';
import { FileController } from './file.controller.js';

/** Receipts of items, and the host that serves them (P1.8). */
@Module({
  controllers: [FileController],
  providers: [ItemFileRepository, ItemFiles],
  exports: [ItemFileRepository, ItemFiles],
})
export class FilesModule {}
