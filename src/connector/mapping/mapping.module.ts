import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { SaveRuleChanges } from './save-rule-changes.js';
import { CheckSetup } from './check-setup.js';
import { ExportRuleFile } from './export-rule-file.js';
import { ImportRuleFile } from './import-rule-file.js';
import { LoadMasterData } from './load-master-data.js';
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
    LoadMasterData,
    SaveSettings,
    SaveRuleChanges,
    ExportRuleFile,
    ImportRuleFile,
    RestoreVersion,
    CheckSetup,
    MappingService,
  ],
  exports: [MappingService, ExportRuleFile],
})
export class MappingModule {}
