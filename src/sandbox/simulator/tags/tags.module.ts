import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { ActiveLimits } from './active-limits.js';
import { AggregatedTagReader } from './aggregated-tag.reader.js';
import { ChangeDimensionValue } from './change-dimension-value.js';
import { ChangeTag } from './change-tag.js';
import { ChangeTagDimension } from './change-tag-dimension.js';
import { ChangeTagGroup } from './change-tag-group.js';
import { ChangeTagsInBulk } from './change-tags-in-bulk.js';
import { TagAccess } from './tag-access.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';
import { TagGroupReader } from './tag-group.reader.js';
import { TagGroupRepository } from './tag-group.repository.js';
import { TagReader } from './tag.reader.js';
import { TagRepository } from './tag.repository.js';
import { TagController } from './tag.controller.js';
import { TagDimensionController } from './tag-dimension.controller.js';
import { TagGroupController } from './tag-group.controller.js';
import { TagSearchController } from './tag-search.controller.js';

/** Tag groups, tags and their dimensions (P7). */
@Module({
  imports: [CompaniesModule, PagingModule],
  controllers: [TagController, TagDimensionController, TagGroupController, TagSearchController],
  providers: [
    ActiveLimits,
    AggregatedTagReader,
    ChangeDimensionValue,
    ChangeTag,
    ChangeTagDimension,
    ChangeTagGroup,
    ChangeTagsInBulk,
    TagAccess,
    TagDimensionRepository,
    TagGroupReader,
    TagGroupRepository,
    TagReader,
    TagRepository,
  ],
  exports: [TagGroupReader, TagGroupRepository, TagRepository],
})
export class TagsModule {}
