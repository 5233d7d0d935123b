import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  actionsOf,
  DISCREPANCY_CLASSES,
  type DiscrepancyAction,
  type DiscrepancyClass,
} from '../../../../src/connector/reconciliation/domain/discrepancy-class.js';
import { History } from './history.js';
import { plantEverything } from './planted-discrepancies.js';

// What was planted in a history of 10,000 items is repaired until the report is empty: by the runs themselves where nothing in
// the books changes, else as a person decides.

/** Nothing that could be repaired is wrong, or it cannot be repaired here: it is explained. */
const EXPLAINED: readonly DiscrepancyClass[] = [
  'failure-not-reported',
  'missing-on-platform',
  'state-drift',
  'vendor-orphaned',
  'tag-orphaned',
  'job-not-received',
  'webhook-not-received',
  'job-not-on-platform',
  'verdict-differs',
  'item-count-differs',
  'job-total-differs',
];
/** Exported again: what is not in the books is posted, what is there is reported. */
const EXPORTED: readonly DiscrepancyClass[] = [
  'missing-in-record',
  'posted-not-reported',
  'reported-as-failed',
  'reported-as-successful',
  'link-differs',
  'expired-with-posted-entry',
  'reported-not-posted',
  'failed-but-posted',
  'late-effect',
  'deleted-in-erp',
  'reversed-in-erp',
];
/** Taken out of the books, after which the platform's "exported" is wrong, and the entry is exported again. */
const REVERSED: readonly DiscrepancyClass[] = [
  'stands-though-reversed',
  'orphan-entry',
  'duplicate-in-erp',
  'altered-in-erp',
  'partly-reversed-in-erp',
  'amount-drift',
  'currency-drift',
  'tax-drift',
  'account-drift',
  'date-drift',
  'vendor-drift',
  'dimension-drift',
];
const RESOLVED_AUTOMATICALLY: readonly DiscrepancyClass[] = [
  'unknown-outcome',
  'posted-not-recorded',
  'settlement-open',
  'verdict-not-delivered',
];

let history: History;
/** Every entry that was exported again. */
const exported = new Set<string>();

beforeEach(async () => {
  history = await History.start();
});
afterEach(async () => {
  await history.exports.close();
});

const open = () => listed('open');

async function listed(state: 'open' | 'accepted') {
  const filter = { state, class: undefined };
  return history.service.reader.listDiscrepancies(history.tenant.installationId, filter, undefined, 1_000);
}

function actionFor(discrepancyClass: DiscrepancyClass): DiscrepancyAction {
  return EXPORTED.includes(discrepancyClass) ? 're-export' : REVERSED.includes(discrepancyClass) ? 'reverse' : 'accept';
}

/** Does something about everything that is open, lets it have its effect, and compares again. */
async function resolve(): Promise<ReadonlySet<string>> {
  const found = await open();
  for (const { id, class: discrepancyClass, subject } of found) {
    const action = actionFor(discrepancyClass);
    const decision = { action, note: 'looked into', by: 'Ada' };
    const acted = await history.service.act(history.tenant.installationId, id, decision);
    expect([discrepancyClass, subject, acted]).toEqual([discrepancyClass, subject, { outcome: 'done' }]);
    if (action === 're-export') {
      exported.add(subject);
    }
  }
  await history.exportAgain([...exported]);
  await history.reconcile();
  return new Set(found.map((each) => each.class));
}

it('every class has its resolution', () => {
  const all = [...EXPLAINED, ...EXPORTED, ...REVERSED, ...RESOLVED_AUTOMATICALLY];
  expect(all.toSorted()).toEqual(DISCREPANCY_CLASSES.toSorted());
  const explained = DISCREPANCY_CLASSES.filter((each) => actionsOf(each).length === 1);
  expect([...EXPLAINED, ...RESOLVED_AUTOMATICALLY].toSorted()).toEqual(explained.toSorted());
});

it('a history of 10,000 items with every class of discrepancy ends with an empty report', async () => {
  await plantEverything(history);
  await history.reconcile();
  const first = await resolve();
  expect([...first].toSorted()).toEqual([...EXPLAINED, ...EXPORTED, ...REVERSED].toSorted());
  // What was taken out of the books is missing there now.
  expect([...(await resolve())]).toEqual(['reversed-in-erp']);
  expect(await open()).toEqual([]);
  await history.reconcile();
  expect(await open()).toEqual([]);
  const accepted = await listed('accepted');
  expect([...new Set(accepted.map((each) => each.class))].toSorted()).toEqual(EXPLAINED.toSorted());
  expect(await history.lastRun()).toMatchObject({ state: 'completed', discrepancies: accepted.length });
  // However often an entry was exported: it stands once.
  expect(exported.size).toBeGreaterThan(EXPORTED.length + REVERSED.length - 2);
  expect([...exported].filter((id) => history.erp.standing(id) !== 1)).toEqual([]);
});
