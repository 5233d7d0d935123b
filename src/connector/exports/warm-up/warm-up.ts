// Takes sample items through what an export does without effects. Node.js compiles code as it is used: without this the first
// exports after a start take half as long again (docs/benchmarks.md).
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { identifiedElement } from '../../platform/export-item.schema.js';
import { exactNumbers, responseParser } from '../../platform/parse-response.js';
import { page } from '../../platform/platform.schema.js';
import { readExportItem } from '../../platform/read-export-item.js';
import type { BookkeepingContext } from '../../bookkeeping/item/bookkeeping-context.js';
import { planChunk } from '../domain/plans/plan-chunk.js';
import { storablePlan, usedByPlans } from '../domain/plans/stored-plan.js';
import { searchColumnsOf } from '../domain/search/search-lines.js';
import { storedText } from '../stores/stored-contents.js';
import { sampleContext, samplePage } from './sample-export.js';

/** A few milliseconds each: tasks of the same process hardly wait. */
const ITEMS_PER_TURN = 25;

const readPage = responseParser(page(identifiedElement), exactNumbers);

@Injectable()
export class WarmUp implements BeforeApplicationShutdown {
  private isStopped = false;

  constructor(private readonly appLogger: AppLogger) {}

  /**
   * Beside the first tasks of the process, in turns of a few milliseconds, until it shuts down. Never fails.
   * @param count of items; 0: none
   */
  async planSamples(count: number): Promise<void> {
    try {
      const text = samplePage(ITEMS_PER_TURN);
      const context = sampleContext();
      for (let done = 0; done < count && !this.isStopped; done += ITEMS_PER_TURN) {
        exportWithoutEffect(text, context);
        await turn();
      }
    } catch (error) {
      this.appLogger.of('exports').error({ err: error }, 'worker.warm_up_failed');
    }
  }

  beforeApplicationShutdown(): void {
    this.isStopped = true;
  }
}

/**
 * Reads a page, plans its items and puts both into the form they are stored in.
 * @param text a page of the platform's list of export items
 * @returns how many of its items would be posted
 */
export function exportWithoutEffect(text: string, context: BookkeepingContext): number {
  const items = readPage({ status: 200, headers: {}, text }).data.map((element) => ({
    accountingEntryId: element.accountingEntryId,
    ...readExportItem(element),
  }));
  const planned = planChunk(items, new Map(), context, sha256Hex).flatMap((item) =>
    item.action === 'post' ? [item] : [],
  );
  storedText(planned.map(({ accountingEntryId, entries }) => [accountingEntryId, storablePlan(entries)]));
  usedByPlans(planned.map(({ entries }) => entries));
  const ended = items.flatMap((entry) =>
    'item' in entry
      ? [[entry.accountingEntryId, { item: entry.item, state: 'successful', externalId: '1' }] as const]
      : [],
  );
  searchColumnsOf(ended);
  storedText(ended.map(([id, { item }]) => [id, item]));
  return planned.length;
}
