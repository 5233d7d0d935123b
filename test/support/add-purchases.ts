import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { exportItemOf } from '../../src/sandbox/launch/demo/items/export-item.js';
import type { RunningPrograms } from './running-programs.js';

/** Above the numbers of the demo's own items. */
const FIRST_NUMBER = 10_000;
const IN_ONE_REQUEST = 1_000;

/**
 * Adds card purchases to the export queue, each of which makes one journal entry.
 * @param from how many were added before
 */
export async function addPurchases(programs: RunningPrograms, from: number, count: number): Promise<void> {
  for (let added = 0; added < count; added += IN_ONE_REQUEST) {
    const items = Array.from({ length: Math.min(IN_ONE_REQUEST, count - added) }, (_, index) =>
      exportItemOf(
        {
          type: 'card_purchase',
          at: '2026-10-02T14:37',
          by: 'liis',
          supplier: 'Paper shop',
          note: 'Paper',
          method: 'journal',
          lines: [['6420', '112.35', 'standard', 'CC:110']],
        },
        FIRST_NUMBER + from + added + index,
      ),
    );
    await programs.clients.simulator.post(`/control/companies/${demoCompany.id}/items`, items);
  }
}
