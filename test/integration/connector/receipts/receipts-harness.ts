import type { BookkeepingPolicies } from '../../../../src/connector/bookkeeping/item/bookkeeping-context.js';
import { localizeProblem } from '../../../../src/connector/messages/texts.js';
import type { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import type { FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { exportItemSchema } from '../../../../src/connector/platform/export-item.schema.js';
import { FileClient } from '../../../../src/foundation/http/client/file-client.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { FileHost } from '../../../support/servers/file-host.js';
import { ExportsHarness, purchase, type Tenant } from '../exports/exports-harness.js';

export const MEGABYTE = 1_048_576;
/** More than one file's attempts in two runs. */
export const FAILURES_TO_OPEN = 8;

/** A file as the platform announces it; left out is what does not matter. */
export interface AnnouncedFile {
  readonly url?: string;
  readonly type?: string;
  readonly size?: string;
}

/** The export pipeline with a real file host, and the connector's own way to it with less patience. */
export class ReceiptsHarness {
  tenant!: Tenant;

  private constructor(
    readonly exports: ExportsHarness,
    private readonly files: FileClient,
    public host: FileHost,
  ) {}

  static async start(ledger?: ErpConnections): Promise<ReceiptsHarness> {
    const files = new FileClient({
      connectMs: 2_000,
      // Long enough for a machine that does much else at the same time, where 30 MB come with pauses.
      idleMs: 1_500,
      totalMs: 10_000,
      maxBytes: 30 * MEGABYTE,
      publicHostsOnly: false,
      circuit: { failuresToOpen: FAILURES_TO_OPEN, openMs: 60_000 },
    });
    return new ReceiptsHarness(await ExportsHarness.start(ledger, files), files, await FileHost.start());
  }

  /** With a new host: what is held against one must not reach the next test. */
  async begin(policy: BookkeepingPolicies['receipts'] = 'fail'): Promise<void> {
    this.exports.platform.restore();
    this.exports.erp.restore();
    await this.host.close();
    this.host = await FileHost.start();
    this.tenant = await this.exports.addTenant({ policies: { receipts: policy } });
  }

  async close(): Promise<void> {
    await this.exports.close();
    this.files.close();
    await this.host.close();
  }

  /** A card purchase with these files behind it. */
  item(files: readonly (AnnouncedFile | null)[], id?: string, account?: string): FetchedItem {
    const { accountingEntryId, ...entry } = purchase(this.tenant.companyId, {
      ...(id !== undefined && { id }),
      ...(account !== undefined && { account }),
    });
    const item = 'item' in entry ? { ...entry.item, files: files.map(complete) } : {};
    return { accountingEntryId, item: exportItemSchema.parse(item) };
  }

  /** A job of these items, run once, and again near its end when it waits for a receipt by then. */
  async exportOf(...items: readonly FetchedItem[]): Promise<FakeJob> {
    const job = await this.exports.addJob(this.tenant, items);
    await this.exports.processQueue(this.tenant);
    if (job.status === 'in_progress') {
      this.exports.clock.passMinutes(41);
      await this.exports.processQueueAgain(this.tenant);
    }
    return job;
  }

  /** Result and warnings (in English) of each item, in the job's order. */
  async endsOf(job: FakeJob): Promise<readonly (readonly unknown[])[]> {
    const rows = await this.exports.rows('export_item', job.id, 'state, failure_type, warnings');
    return rows.map(([state, type, warnings]) => [
      state,
      type,
      (warnings as readonly string[]).map((warning) => localizeProblem('en', warning)),
    ]);
  }

  async reasonOf(job: FakeJob): Promise<string> {
    const [row] = await this.exports.rows('export_item', job.id, 'failure_reason');
    return String(row?.[0]);
  }
}

function complete(file: AnnouncedFile | null): AnnouncedFile | null {
  return file === null ? null : { type: 'application/pdf', size: '2084', ...file };
}
