// Everything the demo company exports, in the order of its dates.
import { cardEntries } from './card-entries.js';
import type { DemoEntry } from './demo-entry.js';
import { employeeEntries } from './employee-entries.js';
import { exportItemOf, type ExportItem } from './export-item.js';
import { failingEntries } from './failing-entries.js';
import { foreignCardEntries } from './foreign-card-entries.js';
import { vendorEntries } from './vendor-entries.js';
import { walletEntries } from './wallet-entries.js';

export interface DemoItem {
  readonly entry: DemoEntry;
  /** As it goes over the wire. */
  readonly item: ExportItem;
}

export const demoItems: readonly DemoItem[] = [
  ...cardEntries,
  ...foreignCardEntries,
  ...employeeEntries,
  ...vendorEntries,
  ...walletEntries,
  ...failingEntries,
]
  .toSorted((a, b) => a.at.localeCompare(b.at))
  .map((entry, index) => ({ entry, item: exportItemOf(entry, index + 1) }));
