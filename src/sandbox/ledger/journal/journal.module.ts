import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { BooksViewRepository } from './books-view.repository.js';
import { CancelEntries } from './cancel-entries.js';
import { EntryStateController } from './entry-state.controller.js';
import { EntryWriter } from './entry-writer.service.js';
import { EntryRepository } from './entry.repository.js';
import { JournalEntriesController } from './journal-entries.controller.js';
import { JournalReader } from './journal.reader.js';
import { JournalRepository } from './journal.repository.js';
import { CompletePosting } from './postings/complete-posting.js';
import { GroupDocuments } from './postings/group-documents.service.js';
import { GroupInspectionController } from './postings/group-inspection.controller.js';
import { GroupInspectionRepository } from './postings/group-inspection.repository.js';
import { GroupWriter } from './postings/group-writer.service.js';
import { InspectGroups } from './postings/inspect-groups.js';
import { LoadPostingBatch } from './postings/load-posting-batch.js';
import { PostDrafts } from './postings/post-drafts.js';
import { PostGroups } from './postings/post-groups.js';
import { PostingGroupReader } from './postings/posting-group.reader.js';
import { PostingGroupsController } from './postings/posting-groups.controller.js';
import { PostingRepository } from './postings/posting.repository.js';
import { ReverseEntry } from './reverse-entry.js';
import { ReverseGroups } from './reverse-groups.js';
import { OpenItemRepository } from './settlements/open-item.repository.js';
import { SettleEntries } from './settlements/settle-entries.js';
import { SettleGroups } from './settlements/settle-groups.js';
import { SettleManually } from './settlements/settle-manually.js';
import { SettlementWriter } from './settlements/settlement-writer.service.js';
import { SettleReversals } from './settlements/settle-reversals.js';
import { SettlementRepository } from './settlements/settlement.repository.js';
import { SettlementsController } from './settlements/settlements.controller.js';
import { WarningRepository } from './warning.repository.js';

@Module({
  imports: [CompaniesModule, AttachmentsModule],
  controllers: [
    PostingGroupsController,
    GroupInspectionController,
    EntryStateController,
    SettlementsController,
    JournalEntriesController,
  ],
  providers: [
    BooksViewRepository,
    CancelEntries,
    CompletePosting,
    EntryRepository,
    EntryWriter,
    GroupDocuments,
    GroupInspectionRepository,
    GroupWriter,
    InspectGroups,
    JournalReader,
    JournalRepository,
    LoadPostingBatch,
    OpenItemRepository,
    PostDrafts,
    PostGroups,
    PostingGroupReader,
    PostingRepository,
    ReverseEntry,
    ReverseGroups,
    SettleEntries,
    SettleGroups,
    SettleManually,
    SettleReversals,
    SettlementRepository,
    SettlementWriter,
    WarningRepository,
  ],
})
export class JournalModule {}
