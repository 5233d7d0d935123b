import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { AddItemFiles } from './add-item-files.js';
import { AddItems } from './add-items.js';
import { ApplyJobEvent } from './apply-job-event.js';
import { ChangeItem } from './change-item.js';
import { CreateExportJob } from './create-export-job.js';
import { ExportAccess } from './export-access.js';
import { ExportItemRepository } from './export-item.repository.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import { ExportJobRepository } from './export-job.repository.js';
import { JobHistoryReader } from './job-history.reader.js';
import { ListExportJobs } from './list-export-jobs.js';
import { ReadExportItems } from './read-export-items.js';
import { RunningJobs } from './running-jobs.js';
import { UpdateJobItems } from './update-job-items.js';
import { ExportController } from './export.controller.js';

/** What other rooms may inject. */
const shared = [
  AddItemFiles,
  AddItems,
  ApplyJobEvent,
  ChangeItem,
  CreateExportJob,
  ExportAccess,
  ExportItemRepository,
  ExportJobItemRepository,
  ExportJobRepository,
  JobHistoryReader,
];

/** Export jobs, their items, events and results (P1). */
@Module({
  imports: [CompaniesModule, DeliveriesModule, FilesModule, PagingModule],
  controllers: [ExportController],
  providers: [...shared, ListExportJobs, ReadExportItems, RunningJobs, UpdateJobItems],
  exports: [...shared],
})
export class ExportsModule {}
