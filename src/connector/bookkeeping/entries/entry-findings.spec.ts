import { describe, expect, it } from '@jest/globals';
import { listed, message, type Message } from '../../../kernel/message.js';
import type { ExportItem } from '../item/export-item.js';
import type { Issue } from '../item/issues.js';
import { contextWith, currency, day, fail, itemOf, line, post } from '../item/planning.fixtures.js';

type Row = readonly [string, ExportItem, Issue['reference'], code: string, parameters: Message['parameters']];

const purchase = { type: 'card_purchase', amount: '1000' };
const priced = (amount: string, tax: { readonly type: string; readonly amount: string }, net = amount) =>
  itemOf({ type: 'card_purchase', amount, lines: [{ amount, net, account: '5410', tax }] });
const invoiceOf = (more: object) =>
  itemOf({ type: 'invoice', amount: '1000', method: 'accounts_payable', vendor: 'V-7', invoice: more });
const inTwoCurrencies = {
  ...itemOf(purchase),
  accountingEntryLines: [line({ amount: '1000', account: '5410' }, 'SEK')],
};

describe('a finding about the entry itself', () => {
  it.each<Row>([
    ['its type', itemOf({ ...purchase, type: 'barter' }), 'type', 'type', { type: 'barter', has: 'none', subtype: '' }],
    [
      'its type, whatever its amount',
      itemOf({ type: 'barter', amount: '0' }),
      'type',
      'type',
      { type: 'barter', has: 'none', subtype: '' },
    ],
    [
      'its subtype',
      itemOf({ ...purchase, type: 'fee', subType: ' late ' }),
      'type',
      'subtype',
      { type: 'fee', has: 'one', subtype: 'late' },
    ],
    [
      'its method',
      itemOf({ ...purchase, method: 'swap' }),
      'method',
      'method',
      { method: 'swap', type: 'card_purchase' },
    ],
    [
      'two currencies',
      inTwoCurrencies,
      'currencies',
      'currencies',
      {
        currencies: listed(
          [
            message('reason.named-currency', { nth: 'first', one: 'EUR' }),
            message('reason.named-currency', { nth: 'next', one: 'SEK' }),
          ],
          ' ',
        ),
      },
    ],
    ['its currency', itemOf({ ...purchase, currency: 'XXX' }), 'currency', 'currency', { code: 'XXX' }],
    [
      'an amount that is no number',
      itemOf({ ...purchase, amount: 'much', lines: [{ amount: '1000', account: '5410' }] }),
      'amount',
      'amount.not-a-number',
      { what: 'entry', line: 0, value: 'much' },
    ],
    [
      'the amount of a line',
      itemOf({ ...purchase, lines: [{ amount: 'much', account: '5410' }] }),
      'amount',
      'amount.not-a-number',
      { what: 'line', line: 1, value: 'much' },
    ],
    [
      'the amount of a tax',
      priced('1000', { type: 'inclusive', amount: 'much' }),
      'amount',
      'amount.not-a-number',
      { what: 'tax', line: 1, value: 'much' },
    ],
    [
      'a net amount',
      priced('1000', { type: 'exclusive', amount: '200' }, 'much'),
      'amount',
      'amount.not-a-number',
      { what: 'net', line: 1, value: 'much' },
    ],
    [
      'an amount with too many decimals',
      itemOf({ ...purchase, lines: [{ amount: '1000.5', account: '5410' }] }),
      'amount',
      'amount.too-precise',
      { what: 'line', line: 1, currency: 'EUR', amount: '10.005', digits: 2 },
    ],
    ['nothing to post', itemOf({ ...purchase, amount: '0' }), 'nothing-to-post', 'nothing-to-post', {}],
    ['no lines', itemOf({ ...purchase, lines: [] }), 'no-lines', 'no-lines', {}],
    [
      'the sum of its lines',
      itemOf({ ...purchase, lines: [{ amount: '999', account: '5410' }] }),
      'sum',
      'sum',
      { sum: '9.99', total: '10.00', gap: '0.01', gapIs: 'missing' },
    ],
    [
      'the sum of a total of 0',
      itemOf({ ...purchase, amount: '0', lines: [{ amount: '-500', account: '5410' }] }),
      'sum',
      'sum',
      { sum: '-5.00', total: '0.00', gap: '5.00', gapIs: 'too_much' },
    ],
    [
      'net and tax that are less than the line',
      priced('1000', { type: 'exclusive', amount: '200' }, '700'),
      'tax-sum',
      'tax-sum',
      { line: 1, net: '7.00', tax: '2.00', sum: '9.00', total: '10.00', gap: '1.00', gapIs: 'missing' },
    ],
    [
      'net and tax that are more than the line',
      priced('1000', { type: 'exclusive', amount: '200' }, '900'),
      'tax-sum',
      'tax-sum',
      { line: 1, net: '9.00', tax: '2.00', sum: '11.00', total: '10.00', gap: '1.00', gapIs: 'too_much' },
    ],
    [
      'an invoice that was voided',
      invoiceOf({ invoiceNumber: 'A-1', status: ' voided_by_user ' }),
      'invoice-status',
      'invoice-status',
      { status: 'voided_by_user' },
    ],
    [
      'an invoice that was rejected',
      invoiceOf({ invoiceNumber: 'A-1', status: 'rejected_by_all' }),
      'invoice-status',
      'invoice-status',
      { status: 'rejected_by_all' },
    ],
    ['an invoice without a number', invoiceOf({ status: 'ready' }), 'invoice-number', 'invoice-number', {}],
    ['its date', itemOf({ ...purchase, date: 'soon' }), 'date', 'date', { date: 'soon' }],
    [
      'the date of its invoice',
      invoiceOf({ invoiceNumber: 'A-1', invoiceDate: ' soon ' }),
      'invoice-date',
      'invoice-date',
      { which: 'invoice', date: 'soon' },
    ],
    [
      'the day its invoice is due',
      invoiceOf({ invoiceNumber: 'A-1', dueDate: '2026-02-30' }),
      'invoice-date',
      'invoice-date',
      { which: 'due', date: '2026-02-30' },
    ],
  ])('has its reason, and nothing else is found: %s', (_, item, reference, code, parameters) => {
    const { failureType, problems } = fail(item);
    expect(failureType).toBe('validation_failure');
    expect(problems.map(({ issue, reason }) => [issue, reason])).toStrictEqual([
      [{ kind: 'entry', reference }, message(`reason.${code}`, parameters)],
    ]);
  });
});

describe('a finding about what the ERP takes', () => {
  const rates = [{ from: currency('USD'), to: currency('EUR'), date: day('2026-01-01'), rate: '1' }];
  const foreign = itemOf({ ...purchase, currency: 'USD', contra: '1936' });
  const owed = { settings: { outOfPocket: '2440' }, payablesNeedVendor: true };
  const rateOf = (source: string) => ({ from: 'USD', to: 'EUR', day: '2026-02-10', days: 7, source });
  const noRate: Issue = { kind: 'rate', reference: 'USD-EUR-2026-02-10' };
  const closed = { day: '2026-01-15', where: 'closed', period: '2026-01' };
  const nowhere = { day: '2026-04-01', where: 'nowhere', period: '' };
  const nextOpen = { policies: { closedPeriod: 'next-open' } } as const;

  it.each<[string, ExportItem, Parameters<typeof contextWith>[0], string, Issue, Message]>([
    [
      'the lines of one entry',
      itemOf(purchase),
      { linesPerEntry: 1 },
      'accounting_system_validation_failure',
      { kind: 'entry', reference: 'lines' },
      message('reason.lines', { lines: 2, limit: 1 }),
    ],
    [
      'a line without a vendor',
      itemOf({ ...purchase, type: 'out_of_pocket', employee: 'E-1' }),
      owed,
      'vendor_unknown',
      { kind: 'entry', reference: 'vendor' },
      message('reason.vendor.needed', { account: '2440' }),
    ],
    [
      'a closed period',
      itemOf({ ...purchase, date: '2026-01-15' }),
      {},
      'accounting_system_validation_failure',
      { kind: 'period', reference: '2026-01' },
      message('reason.period', { ...closed, later: 'not_asked' }),
    ],
    [
      'no period, nor a later one',
      itemOf({ ...purchase, date: '2026-04-01' }),
      nextOpen,
      'accounting_system_validation_failure',
      { kind: 'no-period', reference: '2026-04' },
      message('reason.period', { ...nowhere, later: 'none' }),
    ],
    ['a rate', foreign, { rates }, 'missing_configuration', noRate, message('reason.rate', rateOf('erp'))],
    [
      'a rate that is uploaded',
      foreign,
      { rates, ratesAreUploaded: true },
      'missing_configuration',
      noRate,
      message('reason.rate', rateOf('uploaded')),
    ],
  ])('has its reason, and nothing else is found: %s', (_, item, changes, type, issue, reason) => {
    const { problems } = fail(item, contextWith(changes));
    expect(problems.map((found) => [found.type, found.issue, found.reason])).toStrictEqual([[type, issue, reason]]);
  });
});

describe('a warning', () => {
  it.each<[string, ExportItem, Parameters<typeof contextWith>[0], string, Message['parameters']]>([
    [
      'about a payment without the number of an invoice',
      itemOf({ ...purchase, type: 'invoice_payment', method: 'accounts_payable', vendor: 'V-7' }),
      {},
      'payment-without-invoice-number',
      { code: 'V-7', name: 'Vendor V-7' },
    ],
    [
      'about a posting date that moved',
      itemOf({ ...purchase, date: '2026-01-15' }),
      { policies: { closedPeriod: 'next-open' } },
      'moved-to-open-period',
      { day: '2026-01-15', where: 'closed', period: '2026-01', postedOn: '2026-02-01', next: '2026-02' },
    ],
  ])('%s names what it is about', (_, item, changes, kind, parameters) => {
    const { warnings } = post(item, contextWith(changes));
    expect(warnings.map((warning) => [warning.kind, warning.reason])).toStrictEqual([
      [kind, message(`warning.${kind}`, parameters)],
    ]);
  });
});
