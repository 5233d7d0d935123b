import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { CommitPreview } from './commit-preview.js';
import { DriftRepository } from './drift.repository.js';
import { DriftService } from './drift.service.js';
import { ExplainEntry } from './explain-entry.js';
import { ExplanationsService } from './explanations.service.js';
import { FixCause } from './fix-cause.js';
import { InboxService } from './inbox.service.js';
import { LookUpBooks } from './look-up-books.js';
import { MakePreview } from './make-preview.js';
import { PreviewRepository } from './preview.repository.js';
import { PreviewsService } from './previews.service.js';

@Module({
  imports: [ExportsModule, InstallationsModule, MappingModule],
  providers: [
    FixCause,
    InboxService,
    LookUpBooks,
    PreviewRepository,
    MakePreview,
    CommitPreview,
    PreviewsService,
    ExplainEntry,
    ExplanationsService,
    DriftRepository,
    DriftService,
  ],
  exports: [DriftService, ExplanationsService, InboxService, PreviewsService],
})
export class ReviewModule {}
