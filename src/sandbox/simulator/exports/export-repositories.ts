import { Injectable } from '@nestjs/common';
import { ExportItemRepository } from './export-item.repository.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import { ExportJobRepository } from './export-job.repository.js';

/** Repositories of jobs and items. */
@Injectable()
export class ExportRepositories {
  constructor(
    readonly exportJobRepository: ExportJobRepository,
    readonly exportJobItemRepository: ExportJobItemRepository,
    readonly exportItemRepository: ExportItemRepository,
  ) {}
}
