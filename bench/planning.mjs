// Pure bookkeeping: one taxed card purchase from wire text to planned entries, against parsing the same text alone.
import { parse } from 'lossless-json';
import { indexContext } from '../build/connector/bookkeeping/item/bookkeeping-context.js';
import { contentOf } from '../build/connector/bookkeeping/item/content-of.js';
import { planItem } from '../build/connector/bookkeeping/item/plan-item.js';

const COUNT = 20_000;
const account = (code) => ({ externalId: `id-${code}`, code, name: code, active: true });
const context = indexContext({
  functionalCurrency: 'EUR',
  timeZone: 'Europe/Copenhagen',
  descriptionLimit: 500,
  accounts: ['1935', '2641', '6071'].map(account),
  taxCodes: [{ externalId: 'id-25', code: '25', name: '25 %', active: true, inputAccount: '2641' }],
  dimensions: [],
  vendors: [],
  periods: [{ name: '2026', from: '2026-01-01', to: '2026-12-31', open: true }],
  rates: [],
  settings: { wallets: { EUR: '1935' }, companyBankByCurrency: {}, fallbackAccounts: {} },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'posted' },
  rules: [],
  mappingVersion: 1,
});

const dual = (value) => ({
  inSupplierCurrency: { currency: 'EUR', value },
  inWalletCurrency: { currency: 'EUR', value },
});
const texts = Array.from({ length: COUNT }, (_, index) =>
  JSON.stringify({
    accountingEntryId: `00000000-0000-4000-8000-${index.toString().padStart(12, '0')}`,
    type: 'card_purchase',
    date: '2026-11-10T10:00:00Z',
    amount: dual(12_500),
    note: 'Paper and ink',
    bookkeeping: { method: 'journal' },
    accountingEntryLines: [
      {
        accountingEntryLineId: 'line',
        lineAmount: dual(12_500),
        netAmount: dual(10_000),
        account: { id: 'a', name: 'Office', code: '6071' },
        tax: { id: 't', code: '25', rate: 0.25, type: 'inclusive', amount: dual(2_500) },
      },
    ],
    additionalInformation: { reconciliationId: 'R-1' },
  }),
);

const exact = (text) => parse(text, undefined, (digits) => digits);

function perSecond(work) {
  for (const text of texts.slice(0, 2_000)) work(text);
  const start = performance.now();
  for (const text of texts) work(text);
  return (COUNT * 1_000) / (performance.now() - start);
}

export function planning() {
  const planned = (text) => {
    const item = exact(text);
    const plan = planItem(item, context);
    if (plan.outcome !== 'post') throw new Error(plan.message);
    contentOf(item);
  };
  const [parsedOnly, whole] = [perSecond(exact), perSecond(planned)];
  return [
    {
      measured: `parsed, planned and digested ${Math.round(whole)} items/s`,
      baseline: `parsed only ${Math.round(parsedOnly)} items/s`,
      ratio: whole / parsedOnly,
    },
  ];
}
