import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, refusal, type Platform, type CustomerOptions } from '../platform.js';
import { euros, item } from '../export-item.js';

const ELIGIBLE = [
  'card_purchase',
  'fee',
  'cashback',
  'refund',
  'chargeback',
  'direct_reimbursement',
  'invoice_payment',
  'card_invoice',
  'atm_withdrawal',
  'personal_spend',
  'wallet_topup',
  'wallet_unload',
];
const OTHERS = ['out_of_pocket', 'mileage', 'per_diem', 'external_reimbursement', 'invoice'];
const TEAM = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0011';
const TAX = {
  id: '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0009',
  code: 'V20',
  rate: 0.2,
  type: 'inclusive',
  ingoingTaxAccount: '1400',
  outgoingTaxAccount: '1700',
};

/** What a running job of a customer of its own serves, by version. */
const served = async ({ sandbox }: Platform, version: string, options: CustomerOptions) => {
  const customer = await sandbox.customer(options);
  const jobId = await sandbox.triggerExport(await customer.companyId());
  return customer.call('GET', `/${version}/export-items?job_id=${jobId}`);
};
const first = async (platform: Platform, version: string, options: CustomerOptions) =>
  at((await served(platform, version, options)).body, 'data', 0);
const taxed = () => {
  const amounts = { lineAmount: euros(120), netAmount: euros(100) };
  const line = { ...amounts, tax: { amount: euros(20), ...TAX } };
  return item(120, { team: { id: TEAM, name: 'Sales', code: 'S' }, accountingEntryLines: [line] });
};

const CONTRA: readonly ConformanceRow[] = [
  ...ELIGIBLE.map((type) => ({ type, shows: true })),
  ...OTHERS.map((type) => ({ type, shows: false })),
].map(({ type, shows }) => ({
  fact: `an item of type ${type} ${shows ? 'shows' : 'has no'} contra account`,
  source: 'P1.8',
  needs: 'sandbox' as const,
  observe: async (platform: Platform) =>
    at(await first(platform, 'v3', { items: [item(100, { type })] }), 'contraAccount', 'code'),
  expected: shows ? '1010' : undefined,
}));

const VERSIONS: readonly ConformanceRow[] = [
  {
    fact: 'version 2 has no contra account on items',
    source: 'P1.9',
    needs: 'sandbox',
    observe: async (platform) => at(await first(platform, 'v2', { items: [item(100)] }), 'contraAccount'),
    expected: undefined,
  },
  {
    fact: 'version 2 tells the code of the team beside the team, version 3 inside it only',
    source: 'P1.9',
    needs: 'sandbox',
    observe: async (platform) => [
      at(await first(platform, 'v2', { items: [taxed()] }), 'teamCode'),
      at(await first(platform, 'v3', { items: [taxed()] }), 'teamCode'),
    ],
    expected: ['S', undefined],
  },
  {
    fact: 'version 3 tells the tax accounts of a line, version 2 does not',
    source: 'P1.9',
    needs: 'sandbox',
    observe: async (platform) => {
      const account = async (version: string) =>
        at(await first(platform, version, { items: [taxed()] }), 'accountingEntryLines', 0, 'tax', 'ingoingTaxAccount');
      return [await account('v2'), await account('v3')];
    },
    expected: [undefined, '1400'],
  },
  {
    fact: 'contra accounts are sent without several currencies, too',
    source: 'P1.9',
    needs: 'sandbox',
    observe: async (platform) =>
      at(await first(platform, 'v3', { company: { multiCurrency: false }, items: [item(1)] }), 'contraAccount', 'code'),
    expected: '1010',
  },
  {
    fact: 'version 2 is refused to a customer with several currencies, with a message about version 3',
    source: 'P0.4',
    needs: 'sandbox',
    observe: async (platform) => {
      const answer = await served(platform, 'v2', { company: { multiCurrency: true }, items: [item(1)] });
      return [refusal(answer), at(answer.body, 'message')];
    },
    expected: [[400, 'UNSUPPORTED_API_VERSION'], expect.stringContaining('v3')],
  },
  {
    fact: 'version 3 serves a customer with several currencies',
    source: 'P1.9',
    needs: 'sandbox',
    observe: async (platform) =>
      (await served(platform, 'v3', { company: { multiCurrency: true }, items: [item(1)] })).status,
    expected: 200,
  },
  ...['v2', 'v3'].map((version) => ({
    fact: `null reasons of a job are ${version === 'v2' ? 'null in version 2' : 'absent in version 3'}`,
    source: 'P1.3, P13',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const { body } = await platform.call('GET', `/${version}/export-jobs/${await platform.newJob()}`);
      return at(body, 'data', 'failureReasonType');
    },
    expected: version === 'v2' ? null : undefined,
  })),
  ...['createdBy', 'startedAt', 'completedAt', 'expiredAt', 'failureReason'].map((field) => ({
    fact: `a fresh job has ${field} with null`,
    source: 'P1.3',
    needs: 'export' as const,
    observe: async (platform: Platform) =>
      at((await platform.call('GET', `/v3/export-jobs/${await platform.newJob()}`)).body, 'data', field),
    expected: null,
  })),
];

const CURRENCIES: readonly ConformanceRow[] = [
  {
    fact: 'items of a currency without contra account are refused, and the message names it',
    source: 'P0.4',
    needs: 'sandbox',
    observe: async (platform) => {
      const company = { contraAccounts: {} };
      const answer = await served(platform, 'v3', { company, items: [item(1)] });
      return [refusal(answer), at(answer.body, 'message')];
    },
    expected: [[400, 'MISSING_CONTRA_ACCOUNTS'], expect.stringContaining('EUR')],
  },
  {
    fact: 'a currency whose items show no contra account needs none',
    source: 'P1.8, P0.4',
    needs: 'sandbox',
    observe: async (platform) => {
      const company = { contraAccounts: {} };
      return (await served(platform, 'v3', { company, items: [item(1, { type: 'mileage' })] })).status;
    },
    expected: 200,
  },
  ...(
    [
      ['v2', 201],
      ['v3', 400],
    ] as const
  ).map(([version, status]) => ({
    fact: `a job of items without contra account is ${status === 201 ? 'made' : 'refused'} by ${version}`,
    source: 'P0.4, P1.9',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const customer = await sandbox.customer({ company: { contraAccounts: {} }, items: [item(1)] });
      const body = {
        companyId: await customer.companyId(),
        accountingEntryIds: customer.address.entryIds,
      };
      const answer = await customer.call('POST', `/${version}/export-jobs`, { body });
      return [answer.status, at(answer.body, 'type')];
    },
    expected: [status, status === 201 ? undefined : 'MISSING_CONTRA_ACCOUNTS'],
  })),
];

const FINISHED: readonly ConformanceRow[] = (
  [
    ['GET', 'export-items?job_id=', '', undefined, 'EXPORT_JOB_STATUS_UNPROCESSABLE'],
    ['PUT', 'export-jobs/', '/items', [], 'EXPORT_JOB_STATUS_UNPROCESSABLE'],
  ] as const
).flatMap(([method, before, after, body, type]) =>
  ['v2', 'v3'].map((version) => ({
    fact: `${method} /${version}/${before}… of a finished job is refused`,
    source: 'P0.4, P1.9 (v2 responses)',
    // Version 2 has items only of a customer with one currency.
    needs: method === 'GET' && version === 'v2' ? ('sandbox' as const) : ('export' as const),
    observe: async (given: Platform) => {
      const platform =
        method === 'GET' && version === 'v2'
          ? await given.sandbox.customer({ company: { multiCurrency: false }, items: [item(1)] })
          : given;
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'failed');
      const options = body === undefined ? {} : { body };
      return refusal(await platform.call(method, `/${version}/${before}${jobId}${after}`, options));
    },
    expected: [422, type],
  })),
);

const V2_LIMITS: readonly ConformanceRow[] = [
  {
    fact: 'version 2 refuses an event that its job does not take',
    source: 'P1.4, P1.9 (v2 responses)',
    needs: 'export',
    observe: async (platform) => {
      const body = { jobId: await platform.newJob(), event: 'completed' };
      return refusal(await platform.call('POST', '/v2/export-job-events', { body }));
    },
    expected: [422, 'INVALID_EXPORT_JOB_STATUS_CHANGE'],
  },
  {
    fact: 'version 2 takes 100 results at most, and 100 it takes',
    source: 'P0.4, P1.9 (v2 responses)',
    needs: 'export',
    observe: async (platform) => {
      const path = `/v2/export-jobs/${await platform.newJob()}/items`;
      const [accountingEntryId] = platform.address.entryIds;
      const results = (length: number) => ({
        body: Array.from({ length }, () => ({ accountingEntryId, status: 'in_progress' })),
      });
      return [
        (await platform.call('PUT', path, results(100))).status,
        refusal(await platform.call('PUT', path, results(101))),
      ];
    },
    expected: [200, [413, 'EXPORT_JOB_ITEMS_UPDATE_LIMIT']],
  },
];

const BODIES: readonly ConformanceRow[] = [
  {
    fact: 'the fields a version 3 item must have are there',
    source: 'P1.8',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      return at((await platform.call('GET', `/v3/export-items?job_id=${jobId}&limit=1`)).body, 'data', 0);
    },
    expected: expect.objectContaining({
      accountingEntryId: expect.any(String),
      companyId: expect.any(String),
      type: expect.any(String),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      amount: {
        inSupplierCurrency: expect.objectContaining({ currency: expect.any(String) }),
        inWalletCurrency: expect.objectContaining({ currency: expect.any(String) }),
      },
      accountingEntryLines: expect.any(Array),
      additionalInformation: expect.objectContaining({ reconciliationId: expect.any(String) }),
      _links: expect.any(Object),
    }),
  },
  {
    fact: 'amounts of more digits than a double holds, and parts of a hundredth, go out as they are',
    source: 'P12 (money)',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer({
        company: { contraAccounts: { KWD: { code: '1010' } } },
        items: [item(123.4, {}, 'KWD')],
      });
      const jobId = await sandbox.triggerExport(await customer.companyId());
      const { body } = await customer.call('GET', `/v3/export-items?job_id=${jobId}`);
      return at(body, 'data', 0, 'amount', 'inWalletCurrency', 'value');
    },
    expected: 123.4,
  },
  {
    fact: 'without job_id the items of the running job are served',
    source: 'P1.2',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer({ items: [item(1), item(2)] });
      await sandbox.triggerExport(await customer.companyId());
      return at((await customer.call('GET', '/v3/export-items')).body, 'data', 'length');
    },
    expected: 2,
  },
  {
    fact: 'the address of a receipt is good for 24 hours from the fetch',
    source: 'P1.8',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer({ items: [item(1)] });
      const [entryId] = customer.address.entryIds;
      await sandbox.control('POST', `/items/${String(entryId)}/files`, [
        { name: 'taxi.pdf', type: 'application/pdf', size: 2_084 },
      ]);
      await sandbox.triggerExport(await customer.companyId());
      const { body } = await customer.call('GET', '/v3/export-items');
      const file = at(body, 'data', 0, 'files', 0);
      const status = async () => (await fetch(String(at(file, 'url')))).status;
      const early = await status();
      await sandbox.advance(86_401);
      return [at(file, 'type'), at(file, 'size'), early, (await status()) >= 400];
    },
    expected: ['application/pdf', 2_084, 200, true],
  },
];

export const EXPORT_ITEM_ROWS: readonly ConformanceRow[] = [
  ...CONTRA,
  ...VERSIONS,
  ...CURRENCIES,
  ...FINISHED,
  ...V2_LIMITS,
  ...BODIES,
];
