// A small company in an empty Tryton, made through its interface: accounts, a tax, periods, vendors, rates, a dimension.
import { dateOf, decimalOf, type TrytonClient } from './tryton-client.js';

export interface SeededCompany {
  readonly id: number;
  /** Of the connector's own. */
  readonly user: { readonly login: string; readonly password: string };
}

const ZERO_RATE_DAY = '2020-01-01';

export async function seedCompany(tryton: TrytonClient): Promise<SeededCompany> {
  const eur = await currency(tryton, 'EUR', 2, { '2026-03-02': '0.9123' });
  // The reference of all rates.
  await currency(tryton, 'USD', 2, { [ZERO_RATE_DAY]: '1' });
  await currency(tryton, 'JPY', 0, { [ZERO_RATE_DAY]: '150' });
  await currency(tryton, 'KWD', 3, { [ZERO_RATE_DAY]: '0.31' });
  await tryton.create('country.country', { name: 'Estonia', code: 'EE', code3: 'EST', code_numeric: '233' });
  const party = await tryton.createOne('party.party', { name: 'Nordlys ApS', code: 'OWN' });
  const company = await tryton.createOne('company.company', { party, currency: eur, timezone: 'Europe/Copenhagen' });
  await tryton.call('res.user.write', [1], { companies: [['add', [company]]], company });
  tryton.useCompany(company);
  await accounts(tryton, company);
  await periods(tryton, company);
  await journal(tryton);
  await tryton.create(
    'party.party',
    { name: 'Vendor 7', code: 'V-7', addresses: [['create', [{}]]] },
    { name: 'Vendor 8', code: 'V-8', active: false, addresses: [['create', [{}]]] },
  );
  const root = await tryton.createOne('analytic_account.account', {
    name: 'Cost center',
    code: 'CC',
    type: 'root',
    state: 'opened',
    company,
  });
  await tryton.create('analytic_account.account', {
    name: 'Sales',
    code: '100',
    type: 'normal',
    state: 'opened',
    company,
    root,
    parent: root,
  });
  return { id: company, user: await connectorUser(tryton, company) };
}

async function currency(tryton: TrytonClient, code: string, digits: number, rates: Readonly<Record<string, string>>) {
  return tryton.createOne('currency.currency', {
    name: code,
    symbol: code,
    code,
    digits,
    rounding: decimalOf(digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`),
    rates: [['create', Object.entries(rates).map(([day, rate]) => ({ date: dateOf(day), rate: decimalOf(rate) }))]],
  });
}

async function accounts(tryton: TrytonClient, company: number): Promise<void> {
  const type = (name: string, statement: string, more: object = {}) =>
    tryton.createOne('account.account.type', { name, statement, company, sequence: 10, ...more });
  const [expense, asset, payable] = [
    await type('Expense', 'income', { expense: true }),
    await type('Assets', 'balance', { assets: true }),
    await type('Payable', 'balance', { payable: true }),
  ];
  const account = (code: string, name: string, of: number, more: object = {}) => ({
    code,
    name,
    type: of,
    company,
    ...more,
  });
  await tryton.create(
    'account.account',
    account('5410', 'Travel', expense),
    account('5460', 'Meals', expense),
    account('1935', 'Wallet', asset),
    account('1940', 'Bank', asset),
    account('2440', 'Payables', payable, { party_required: true, reconcile: true }),
    account('9999', 'Old expenses', expense, { closed: true }),
  );
  const inputTax = await tryton.createOne('account.account', account('2640', 'Input tax', asset));
  const group = await tryton.createOne('account.tax.group', { name: 'VAT', code: 'VAT', kind: 'purchase' });
  await tryton.create('account.tax', {
    name: 'I25',
    description: 'Input VAT 25 %',
    type: 'percentage',
    rate: decimalOf('0.25'),
    company,
    group,
    invoice_account: inputTax,
    credit_note_account: inputTax,
  });
}

/** 2026 in months, January closed. */
async function periods(tryton: TrytonClient, company: number): Promise<void> {
  const sequence = await tryton.createOne('ir.sequence', {
    name: 'Moves of 2026',
    company,
    sequence_type: await sequenceType(tryton, 'Account Move'),
  });
  const year = await tryton.createOne('account.fiscalyear', {
    name: '2026',
    start_date: dateOf('2026-01-01'),
    end_date: dateOf('2026-12-31'),
    post_move_sequence: sequence,
    company,
  });
  await tryton.call('account.fiscalyear.create_period', [year]);
  const [january] = await tryton.search('account.period', [['start_date', '=', dateOf('2026-01-01')]], []);
  await tryton.call('account.period.close', [january?.id]);
}

async function journal(tryton: TrytonClient): Promise<void> {
  const sequence = await tryton.createOne('ir.sequence', {
    name: 'Exported expenses',
    sequence_type: await sequenceType(tryton, 'Account Journal'),
  });
  await tryton.create('account.journal', { name: 'Exported expenses', code: 'SPEND', type: 'general', sequence });
}

async function sequenceType(tryton: TrytonClient, name: string): Promise<number | undefined> {
  const [type] = await tryton.search('ir.sequence.type', [['name', '=', name]], []);
  return type?.id;
}

async function connectorUser(tryton: TrytonClient, company: number): Promise<SeededCompany['user']> {
  const user = { login: 'connector', password: 'Qz5-byxw1KMhd' };
  const groups = await tryton.search(
    'res.group',
    [['name', 'in', ['Account', 'Account Administration', 'Party Administration']]],
    [],
  );
  await tryton.create('res.user', {
    name: 'Expense connector',
    ...user,
    companies: [['add', [company]]],
    company,
    groups: [['add', groups.map(({ id }) => id)]],
  });
  return user;
}
