import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { EXPORTED_TABLES, tablePage, type ExportedTable } from './exported-tables.js';

/** The data export: all stored data of an installation as one JSON document (S63). */
@Injectable()
export class ExportInstallationData {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * Written page by page at the reader's pace, each in a short transaction: a slow download blocks nothing.
   * @param rows counts what has been read for the document
   * @returns `{exportedAt, tables: {<table>: [row…]}}`
   */
  openExport(installationId: InstallationId, rows: { count: number }): Readable {
    return Readable.from(this.document(installationId, rows));
  }

  private async *document(installationId: InstallationId, rows: { count: number }): AsyncGenerator<string> {
    yield `{"exportedAt":${JSON.stringify(this.clock.now())},"tables":{`;
    for (const [index, [name, table]] of Object.entries(EXPORTED_TABLES).entries()) {
      yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`;
      yield* this.rows(installationId, table, rows);
      yield ']';
    }
    yield '}}\n';
  }

  private async *rows(
    installationId: InstallationId,
    table: ExportedTable,
    rows: { count: number },
  ): AsyncGenerator<string> {
    let after: readonly string[] | undefined;
    let separator = '';
    for (;;) {
      const page = await this.tenantDatabase.readOnce('export installation data', installationId, (tx) =>
        tx.rows<{ readonly key: readonly string[]; readonly row: unknown }>(tablePage(table, after)),
      );
      const last = page.at(-1);
      if (last === undefined) {
        return;
      }
      rows.count += page.length;
      yield separator + page.map(({ row }) => JSON.stringify(row)).join(',');
      separator = ',';
      after = last.key;
    }
  }
}
