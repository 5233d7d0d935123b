import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { CommitPreview } from './commit-preview.js';
import { DriftRepository } from './drift.repository.js';
import { DriftService } from './drift.service.js';
import { ExplainEntry } from './explain-entry.js';
import { ExplanationsService } from './explanations.service.js';
import { ResolveIssue } from './resolve-issue.js';
import { InboxService } from './inbox.service.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import { MakePreview } from './make-preview.js';
import { PreviewRepository } from './preview.repository.js';
import { PreviewsService } from './previews.service.js';

@Module({
  imports: [RunsModule, ExportsModule, InstallationsModule, MappingModule],
  providers: [
    ResolveIssue,
    InboxService,
    LookUpPostedEntries,
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
