import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { ApplyResolution } from './apply-resolution.js';
import { CheckDrift } from './check-drift.js';
import { CommitPreview } from './commit-preview.js';
import { DriftReader } from './drift.reader.js';
import { DriftRepository } from './drift.repository.js';
import { ExplainEntry } from './explain-entry.js';
import { FindPreviewChanges } from './find-preview-changes.js';
import { IssueReader } from './issue.reader.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import { MakePreview } from './make-preview.js';
import { PlanPreview } from './plan-preview.js';
import { PreviewReader } from './preview.reader.js';
import { PreviewRepository } from './preview.repository.js';
import { ResolveIssue } from './resolve-issue.js';

const exported = [
  CheckDrift,
  CommitPreview,
  DriftReader,
  ExplainEntry,
  IssueReader,
  MakePreview,
  PreviewReader,
  ResolveIssue,
];

@Module({
  imports: [RunsModule, ExportsModule, InstallationsModule, MappingModule],
  providers: [
    ...exported,
    ApplyResolution,
    DriftRepository,
    FindPreviewChanges,
    LookUpPostedEntries,
    PlanPreview,
    PreviewRepository,
  ],
  exports: [...exported],
})
export class ReviewModule {}
