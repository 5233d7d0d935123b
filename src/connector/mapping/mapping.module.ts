import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { ChangeRules } from './change-rules.js';
import { CheckSetup } from './check-setup.js';
import { ImportRules } from './import-rules.js';
import { LoadBooks } from './load-books.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { MappingService } from './mapping.service.js';
import { RestoreVersion } from './restore-version.js';
import { SaveSettings } from './save-settings.js';
import { StoreVersion } from './store-version.js';

@Module({
  imports: [InstallationsModule],
  providers: [
    MappingVersionRepository,
    MappingRuleRepository,
    StoreVersion,
    LoadBooks,
    SaveSettings,
    ChangeRules,
    ImportRules,
    RestoreVersion,
    CheckSetup,
    MappingService,
  ],
  exports: [MappingService],
})
export class MappingModule {}
