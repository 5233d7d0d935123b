import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import type { ListedFacts } from '../exports/domain/search/listed-facts.js';
import { FailedEntryReader, type FailedEntry } from '../exports/issues/failed-entry.reader.js';
import { InboxReader, type InboxRow } from '../exports/issues/inbox.reader.js';
import { EntryFactsReader } from '../exports/lists/entry-facts.reader.js';
import { ReexportReader } from '../exports/reexport/reexport.reader.js';
import type { ReexportView } from '../exports/reexport/reexport.repository.js';

export interface IssueDetail {
  readonly row: InboxRow;
  /** The newest re-export that was requested to resolve the issue. */
  readonly latestReexport: ReexportView | undefined;
}

/** An entry of an issue; its facts are undefined where nothing is kept of it. */
export type NamedFailedEntry = FailedEntry & { readonly facts: ListedFacts | undefined };

@Injectable()
export class IssueReader {
  constructor(
    private readonly inboxReader: InboxReader,
    private readonly failedEntryReader: FailedEntryReader,
    private readonly reexportReader: ReexportReader,
    private readonly entryFactsReader: EntryFactsReader,
  ) {}

  async find(installationId: InstallationId, key: string): Promise<IssueDetail | undefined> {
    const row = await this.inboxReader.find(installationId, key);
    return row && { row, latestReexport: await this.reexportReader.findNewest(installationId, key) };
  }

  /** In the order of their ids. @param key as the list has it */
  async entries(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly NamedFailedEntry[]> {
    const entries = await this.failedEntryReader.ofIssue(installationId, key, afterId, limit);
    const ids = entries.map(({ accountingEntryId }) => accountingEntryId);
    const facts = await this.entryFactsReader.read(installationId, ids);
    return entries.map((entry) => ({ ...entry, facts: facts.get(entry.accountingEntryId) }));
  }
}
