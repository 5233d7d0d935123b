// The one table of allowed imports: a room and the rooms it may import besides itself. Everything below is made from it:
// the rules of dependency-cruiser (.dependency-cruiser.js) and the test that every room has a row and a folder.

const base = ['kernel', 'foundation'];
const technical = [
  ...base,
  'connector/bookkeeping',
  'connector/messages',
  'connector/tasks',
  'connector/runs',
  'connector/platform',
  'connector/erp',
];
const features = (...names) => [...technical, ...names.map((name) => `connector/${name}`)];

export const mayImport = {
  kernel: [],
  foundation: ['kernel'],
  // The texts, because the platform is told in English why an entry fails.
  'connector/bookkeeping': ['kernel', 'connector/messages'],
  // Texts of all languages, by code.
  'connector/messages': base,
  'connector/tasks': base,
  // Leases, runs that repeat and their wake-ups; what a run does, its feature knows.
  'connector/runs': [...base, 'connector/tasks'],
  'connector/platform': base,
  'connector/erp': [...base, 'connector/bookkeeping'],
  // Only reads: its entries are written by triggers.
  'connector/audit': base,
  // What open pages are told; its rows are written by triggers.
  'connector/page-events': base,
  'connector/health': [...base, 'connector/tasks'],
  // Who may come in; of an installation it knows the id.
  'connector/access': base,
  // Stands before every route; of a session it knows the cookie.
  'connector/limits': features('access'),
  'connector/installations': features('access'),
  // Which ERP an installation has; whoever uses it knows the port only.
  'connector/erp-connections': features('installations'),
  'connector/webhooks': features('installations'),
  'connector/mapping': features('installations'),
  // Knows neither jobs nor leases: its caller gives it files, time and a transaction.
  'connector/receipts': technical,
  // Exports tell it of vendors they have created; it knows no job.
  'connector/reference-data': features('installations', 'mapping'),
  'connector/exports': features('installations', 'mapping', 'receipts', 'reference-data'),
  'connector/review': features('installations', 'mapping', 'exports'),
  // Of webhooks: which jobs were never announced.
  'connector/reconciliation': features('installations', 'webhooks', 'mapping', 'exports'),
  // What the operator sees and does over all customers.
  'connector/operations': features('access', 'installations', 'webhooks', 'exports'),
  'connector/alerts': features('access', 'installations', 'reconciliation'),
  'connector/api': features(
    'access',
    'alerts',
    'audit',
    'erp-connections',
    'installations',
    'limits',
    'operations',
    'page-events',
    'webhooks',
    'mapping',
    'exports',
    'reconciliation',
    'review',
    'reference-data',
  ),
  // What an adapter has to keep, and the command that checks it; no program imports it.
  'erp-contract': [...base, 'connector/bookkeeping', 'connector/erp'],
  'sandbox/ledger': base,
  'sandbox/simulator': base,
  // Brings programs up on this machine. Of the connector it knows the migration step; the rest is HTTP.
  'sandbox/launch': base,
};

/** Rooms whose files others may use freely; of every other room only module, service, tasks and domain. */
export const openRooms = [
  'kernel',
  'foundation',
  'connector/bookkeeping',
  'connector/messages',
  'connector/tasks',
  'connector/runs',
  'connector/platform',
  'connector/erp',
  'connector/health',
];

/** Folders that hold decisions only: no library, no Node built-in, no time, no chance. */
export const pureFolders = [
  'src/kernel',
  'src/connector/bookkeeping',
  'src/connector/[^/]+/domain',
  'src/sandbox/ledger/[^/]+/domain',
  'src/sandbox/simulator/[^/]+/domain',
];
