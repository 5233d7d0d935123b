import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { ResolveIssue, type ResolveIssueResult } from './resolve-issue.js';

export interface ResolvedIssue {
  readonly key: string;
  readonly result: ResolveIssueResult;
}

/** Exports the entries of several issues again that were resolved in the ERP or on the platform. */
@Injectable()
export class ResolveIssues {
  constructor(private readonly resolveIssue: ResolveIssue) {}

  /** One after the other, each on its own: what cannot be done for one does not keep the others. */
  async resolveAll(
    installationId: InstallationId,
    keys: readonly string[],
    by: string,
  ): Promise<readonly ResolvedIssue[]> {
    const resolved: ResolvedIssue[] = [];
    for (const key of new Set(keys)) {
      resolved.push({ key, result: await this.resolveIssue.resolve(installationId, key, 'outside', by) });
    }
    return resolved;
  }
}
