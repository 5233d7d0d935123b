import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { itemOf } from '../../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { ExportItem } from '../../../../../src/connector/bookkeeping/item/export-item.js';
import { startedOnce } from '../../../../support/started-once.js';
import { ExportsHarness, fetched, purchase, type Tenant } from '../exports-harness.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

const usual = itemOf({ type: 'card_purchase', amount: '12500', lines: [{ amount: '12500', account: '5410' }] });
const amountOf = (value: string, currency = 'EUR') => {
  const money = { currency, value };
  return { amount: { inSupplierCurrency: money, inWalletCurrency: money } };
};

describe('an item that is odd in one field', () => {
  it.each<readonly [string, Partial<ExportItem>]>([
    ['a day of the year 0, which the database does not have', { date: '0000-01-01T12:00:00Z' }],
    ['a day that its offset moves before the year 1000', { date: '1000-01-01T00:00:00+02:00' }],
    ['the last day that is plausible', { date: '2999-12-31T23:59:59-12:00' }],
    ['an invoice of the year 0', invoiceOf('0000-05-01')],
    ['an amount of 39 digits', amountOf('9'.repeat(39))],
    ['an amount with an exponent', amountOf('1e39')],
    ['a long currency', amountOf('12500', 'x'.repeat(9_000))],
    ['a long type of characters of four bytes', { type: '\u{1F600}'.repeat(900) }],
    ['a type that is a property of every object', { type: '__proto__' }],
  ])('ends alone: %s', async (_, changes) => {
    const good = purchase(tenant.companyId);
    const odd = fetched(tenant.companyId, randomUUID(), { ...usual, ...changes });
    const job = await exports.addJob(tenant, [odd, good]);
    await exports.processQueue(tenant);
    expect(job.results.get(good.accountingEntryId)?.status).toBe('successful');
    expect(job.results.get(odd.accountingEntryId)?.status).toBe('failed');
    expect(await exports.stateOf(job)).toBe('completed_with_errors');
  });
});

describe('an item whose amount has a part of a yen', () => {
  it('fails, and its issue has the amount as it was stated', async () => {
    const odd = fetched(tenant.companyId, randomUUID(), { ...usual, ...amountOf('12345', 'JPY') });
    await exports.addJob(tenant, [odd]);
    await exports.processQueue(tenant);
    const { rows } = await exports.admin.query(
      `SELECT DISTINCT currency, amount_minor::text AS minor FROM failed_entry WHERE accounting_entry_id = $1`,
      [odd.accountingEntryId],
    );
    expect(rows).toEqual([{ currency: 'JPY', minor: '123.45' }]);
  });
});

function invoiceOf(invoiceDate: string): Partial<ExportItem> {
  const invoiceInformation = { invoiceNumber: 'A-17', invoiceDate, status: 'paid' };
  return { type: 'invoice', additionalInformation: { ...usual.additionalInformation, invoiceInformation } };
}
