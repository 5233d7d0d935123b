import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { CheckRules } from './check-rules.js';
import { CheckSetup } from './check-setup.js';
import { ExportRuleFile } from './export-rule-file.js';
import { ImportRuleFile } from './import-rule-file.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { MappingReader } from './mapping.reader.js';
import { RestoreVersion } from './restore-version.js';
import { SaveRuleChanges } from './save-rule-changes.js';
import { SaveSettings } from './save-settings.js';
import { StoreVersion } from './store-version.js';
import { SuggestRules } from './suggest-rules.js';

const useCases = [
  CheckRules,
  CheckSetup,
  ExportRuleFile,
  ImportRuleFile,
  RestoreVersion,
  SaveRuleChanges,
  SaveSettings,
  SuggestRules,
];

@Module({
  imports: [InstallationsModule],
  providers: [
    MappingVersionRepository,
    MappingRuleRepository,
    MappingReader,
    StoreVersion,
    LoadMasterData,
    ...useCases,
  ],
  exports: [MappingReader, StoreVersion, LoadMasterData, ...useCases],
})
export class MappingModule {}
