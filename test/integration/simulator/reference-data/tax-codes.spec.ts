import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt, type SimulatorResponse } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let foreignId: string;
let foreignTaxCodeId: string;

beforeAll(async () => {
  foreignId = await simulator.addCompany();
  const seeded = await simulator.control('POST', `/companies/${foreignId}/tax-codes`, [{ name: 'F', rate: 0.1 }]);
  foreignTaxCodeId = textAt(seeded, 'ids', 0);
});
beforeEach(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const request = (extra: object = {}) => ({
  companyId,
  name: 'Standardmoms (25 %)',
  rate: 0.25,
  type: 'inclusive',
  archived: false,
  ...extra,
});
const create = (extra: object = {}) => call('POST', '/v0/tax-codes', request(extra));
const idOf = (answer: SimulatorResponse) => textAt(answer.body, 'data', 'id');

describe('a tax code', () => {
  it('is created, with nullable fields as null [P5]', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(at(answer.body, 'data')).toEqual({
      id: expect.any(String),
      companyId,
      name: 'Standardmoms (25 %)',
      code: null,
      rate: 0.25,
      type: 'inclusive',
      archived: false,
      ingoingTaxAccount: null,
      outgoingTaxAccount: null,
      accountingIntegrationSystem: null,
      createdAt: expect.stringMatching(/:\d\dZ$/),
      updatedAt: expect.stringMatching(/:\d\dZ$/),
    });
  });

  it.each([0, 1, 0.2, 0.055, 0.0000001, 0.123456789])('keeps the rate %d [P5]', async (rate) => {
    const id = idOf(await create({ rate }));
    expect((await call('GET', `/v0/tax-codes/${id}`)).body).toMatchObject({ data: { rate } });
  });

  it.each([
    ['no archived', { archived: undefined }],
    ['no companyId', { companyId: undefined }],
    ['no name', { name: undefined }],
    ['no rate', { rate: undefined }],
    ['no type', { type: undefined }],
    ['a rate in percent', { rate: 25 }],
    ['a negative rate', { rate: -0.1 }],
    ['a rate as text', { rate: '0.25' }],
    ['an unknown type', { type: 'none' }],
    ['type exclusive, which is not supported', { type: 'exclusive' }],
  ])('is not created with %s (400) [P5]', async (_case, extra) => {
    const answer = await create(extra);
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('is replaced by an update, with omitted fields as null [P5]', async () => {
    const id = idOf(await create({ code: '01', ingoingTaxAccount: '1', outgoingTaxAccount: '2' }));
    const change = request({ name: 'New', rate: 0.12, type: 'reverse', archived: true });
    const answer = await call('PUT', `/v0/tax-codes/${id}`, change);
    expect(answer.status).toBe(200);
    const shown = { ...change, id, code: null, ingoingTaxAccount: null, outgoingTaxAccount: null };
    expect(at(answer.body, 'data')).toMatchObject(shown);
    expect((await call('GET', `/v0/tax-codes/${id}`)).body).toMatchObject({ data: shown });
  });

  it('is deleted [P5]', async () => {
    const id = idOf(await create());
    expect((await call('DELETE', `/v0/tax-codes/${id}`)).status).toBe(204);
    expect((await call('GET', `/v0/tax-codes/${id}`)).status).toBe(404);
  });

  it.each(['GET', 'PUT', 'DELETE'])('%s answers 404 to an unknown and a foreign id [P0.4]', async (method) => {
    for (const id of [randomUUID(), foreignTaxCodeId]) {
      const answer = await call(method, `/v0/tax-codes/${id}`, method === 'PUT' ? request() : undefined);
      expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'TAX_CODE_NOT_FOUND']);
    }
  });

  it('must belong to a company of the credential (403) [P0.4]', async () => {
    expect((await create({ companyId: foreignId })).status).toBe(403);
    const id = idOf(await create());
    expect((await call('PUT', `/v0/tax-codes/${id}`, request({ companyId: foreignId }))).status).toBe(403);
  });
});

describe('searching tax codes', () => {
  let ids: readonly string[];
  beforeEach(async () => {
    const seeded = await simulator.control('POST', `/companies/${companyId}/tax-codes`, [
      { name: 'A', code: '1', rate: 0.25 },
      { name: 'B', code: '1', rate: 0.25, archived: true },
      { name: 'C', rate: 0, type: 'reverse' },
    ]);
    ids = listAt(seeded, 'ids').map(String);
  });
  const names = async (body?: unknown) =>
    listAt((await call('POST', '/v0/tax-codes:search', body)).body, 'data').map((each) => at(each, 'name'));

  it.each([
    ['no body', undefined, ['A', 'B', 'C']],
    ['nothing: archived and active ones', {}, ['A', 'B', 'C']],
    ['archived: true', { archived: true }, ['B']],
    ['archived: false', { archived: false }, ['A', 'C']],
    ['code', { code: '1' }, ['A', 'B']],
    ['type', { type: 'reverse' }, ['C']],
  ])('filters by %s [P5, P13]', async (_case, body, expected) => {
    expect(await names(body)).toEqual(expected);
  });

  it('filters by taxCodeIds and company_id, and pages [P5]', async () => {
    expect(await names({ taxCodeIds: [ids[2], foreignTaxCodeId] })).toEqual(['C']);
    expect((await call('POST', `/v0/tax-codes:search?company_id=${foreignId}`)).status).toBe(403);
    const paged = await call('POST', `/v0/tax-codes:search?company_id=${companyId}&limit=2`);
    expect([paged.status, at(paged.body, 'pagination', 'total')]).toEqual([200, 3]);
  });
});

describe('tax calculation', () => {
  const calculate = (amountsByTaxCodeId: unknown) =>
    call('POST', '/v0/tax-codes:calculate-tax-amounts', { amountsByTaxCodeId });
  const seed = async (type: string, rate: number) =>
    textAt(await simulator.control('POST', `/companies/${companyId}/tax-codes`, [{ name: 'T', rate, type }]), 'ids', 0);

  it.each([
    ['inclusive: the amount holds the tax', 'inclusive', 0.25, 12_500, [12_500, 10_000, 2_500]],
    ['inclusive, rounded half-even', 'inclusive', 0.2, 10_000, [10_000, 8_333, 1_667]],
    ['exclusive: the tax comes on top', 'exclusive', 0.25, 10_000, [12_500, 10_000, 2_500]],
    ['reverse: the tax is not paid with the amount', 'reverse', 0.19, 10_000, [10_000, 10_000, 1_900]],
    ['a refund', 'inclusive', 0.25, -12_500, [-12_500, -10_000, -2_500]],
  ])('%s [P1.8, P5]', async (_case, type, rate, minors, [gross, net, tax]) => {
    const id = await seed(type, rate);
    const answer = await calculate({ [id]: [{ id: 'line-1', amount: { currency: 'SEK', minors } }] });
    const money = (value: number | undefined) => ({ currency: 'SEK', minors: value });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          taxes: {
            [id]: [{ id: 'line-1', amountTaxBreakdown: { gross: money(gross), net: money(net), tax: money(tax) } }],
          },
        },
      },
    ]);
  });

  it('keeps the amounts of each tax code in order [P5]', async () => {
    const [one, two] = [await seed('inclusive', 0.25), await seed('reverse', 0)];
    const amount = (id: string) => ({ id, amount: { currency: 'EUR', minors: 1 } });
    const answer = await calculate({ [two]: [amount('c')], [one]: [amount('b'), amount('a')] });
    const order = (id: string) => listAt(answer.body, 'data', 'taxes', id).map((each) => at(each, 'id'));
    expect([order(one), order(two)]).toEqual([['b', 'a'], ['c']]);
  });

  it.each([
    ['an unknown tax code', () => ({ [randomUUID()]: [] }), 404],
    ['a tax code of another company', () => ({ [foreignTaxCodeId]: [] }), 404],
    ['a key that is no id', () => ({ V25: [] }), 400],
    ['no amounts', () => undefined, 400],
    [
      'a fraction of a minor unit',
      () => ({ [foreignTaxCodeId]: [{ id: '1', amount: { currency: 'EUR', minors: 0.5 } }] }),
      400,
    ],
    [
      '1,001 amounts',
      () => ({ [foreignTaxCodeId]: Array(1_001).fill({ id: '1', amount: { currency: 'EUR', minors: 1 } }) }),
      400,
    ],
  ])('%s is refused [P5]', async (_case, amounts, status) => {
    expect((await calculate(amounts())).status).toBe(status);
  });
});
