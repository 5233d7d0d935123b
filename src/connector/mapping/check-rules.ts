import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingRule } from '../bookkeeping/accounts/rule-index.js';
import { findRuleFindings, type RuleFinding } from './domain/rule-findings.js';
import { targetsIn } from './domain/targets.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingReader } from './mapping.reader.js';

export interface CheckedRules {
  readonly version: number;
  /** False while no ERP company is linked: the targets of the rules are not checked then. */
  readonly targetsChecked: boolean;
  readonly findings: readonly (RuleFinding & { readonly rule: MappingRule })[];
}

/** Finds the rules of the latest version that do not do what they seem to. */
@Injectable()
export class CheckRules {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly loadMasterData: LoadMasterData,
  ) {}

  /**
   * @returns undefined before the first save
   * @throws ErpUnavailable
   */
  async checkLatest(installationId: InstallationId): Promise<CheckedRules | undefined> {
    const mapping = await this.mappingReader.latestVersion(installationId);
    if (mapping === undefined) {
      return undefined;
    }
    const masterData = await this.loadMasterData.load(installationId);
    const { version, settings, rules } = mapping;
    const findings = findRuleFindings(rules, masterData && targetsIn(masterData, settings));
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    return {
      version,
      targetsChecked: masterData !== undefined,
      findings: findings.flatMap((finding) => {
        const rule = byId.get(finding.ruleId);
        return rule === undefined ? [] : { ...finding, rule };
      }),
    };
  }
}
