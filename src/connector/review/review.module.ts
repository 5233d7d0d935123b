import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { ApplyResolution } from './apply-resolution.js';
import { CheckDrift } from './check-drift.js';
import { CheckReadiness } from './check-readiness.js';
import { CommitPreview } from './commit-preview.js';
import { DriftReader } from './drift.reader.js';
import { DriftRepository } from './drift.repository.js';
import { ExplainEntry } from './explain-entry.js';
import { FindPreviewChanges } from './find-preview-changes.js';
import { HandleIssue } from './handle-issue.js';
import { IssueReader } from './issue.reader.js';
import { ListReferences } from './list-references.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import { MakePreview } from './make-preview.js';
import { PlatformReferences } from './platform-references.js';
import { PlanPreview } from './plan-preview.js';
import { PreviewReader } from './preview.reader.js';
import { PreviewRepository } from './preview.repository.js';
import { ReplanFailedEntries } from './replan-failed-entries.js';
import { ResolveIssue } from './resolve-issue.js';
import { ResolveIssues } from './resolve-issues.js';

const exported = [
  CheckDrift,
  CheckReadiness,
  CommitPreview,
  DriftReader,
  ExplainEntry,
  HandleIssue,
  IssueReader,
  ListReferences,
  MakePreview,
  PreviewReader,
  ResolveIssue,
  ResolveIssues,
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
    PlatformReferences,
    PreviewRepository,
    ReplanFailedEntries,
  ],
  exports: [...exported],
})
export class ReviewModule {}
