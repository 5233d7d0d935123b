import { Module } from '@nestjs/common';
import { PageKeyRepository } from './page-key.repository.js';
import { ReadPage } from './read-page.js';

/** Lists served page by page. */
@Module({
  providers: [PageKeyRepository, ReadPage],
  exports: [ReadPage],
})
export class PagingModule {}
