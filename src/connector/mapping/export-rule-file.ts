import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { MappingReader } from './mapping.reader.js';
import { writeRuleFile, writeRuleSheet, type RuleFileFormat } from './rule-file.js';

/** Writes all rules of a version as a file, to be edited with other tools and imported again. */
@Injectable()
export class ExportRuleFile {
  constructor(private readonly mappingReader: MappingReader) {}

  /**
   * @param version undefined for the newest one, which may not exist yet: the file then has no rules, the version is 0
   * @returns undefined when there is no such version
   */
  async exportVersion(
    installationId: InstallationId,
    version: number | undefined,
    format: RuleFileFormat,
  ): Promise<{ readonly version: number; readonly rules: number; readonly file: string | Buffer } | undefined> {
    const found =
      version === undefined
        ? await this.mappingReader.latestVersion(installationId)
        : await this.mappingReader.findVersion(installationId, version);
    if (found === undefined && version !== undefined) {
      return undefined;
    }
    const rules = found?.rules ?? [];
    const file = format === 'xlsx' ? await writeRuleSheet(rules) : writeRuleFile(rules, format);
    return { version: found?.version ?? 0, rules: rules.length, file };
  }
}
