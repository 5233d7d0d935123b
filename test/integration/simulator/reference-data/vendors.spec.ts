import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt, type SimulatorResponse } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const SOME_ID = '123e4567-e89b-12d3-a456-426614174015';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let foreignId: string;

beforeAll(async () => {
  foreignId = await simulator.addCompany();
});
beforeEach(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (extra: object = {}) =>
  call('POST', '/v1/vendors', { companyId, defaultCurrency: 'EUR', name: 'Example GmbH', ...extra });
const idOf = (answer: SimulatorResponse) => textAt(answer.body, 'data', 'id');
const stateOf = async (id: string) => at((await call('GET', `/v1/vendors/${id}`)).body, 'data', 'state');
const update = (id: string, extra: object = {}) =>
  call('PUT', `/v1/vendors/${id}`, {
    companyId,
    defaultCurrency: 'EUR',
    name: 'Example GmbH',
    externalId: 'V1',
    state: 'ACTIVE',
    ...extra,
  });
const foreignVendor = async () =>
  textAt(await simulator.control('POST', `/companies/${foreignId}/vendors`, [{ name: 'Foreign' }]), 'ids', 0);

describe('creating a vendor', () => {
  it('returns the vendor as a draft, with 201 [P6]', async () => {
    const whole = {
      code: '70001',
      country: 'DE',
      externalId: 'V1',
      registrationNumber: 'HRB 1',
      taxRegistrationNumber: 'DE1',
    };
    const answer = await create(whole);
    expect(answer.status).toBe(201);
    expect(at(answer.body, 'data')).toEqual({
      id: expect.any(String),
      companyId,
      state: 'DRAFT',
      name: 'Example GmbH',
      defaultCurrency: 'EUR',
      ...whole,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('returns UNDEFINED without a country, and omits unknown fields [P6]', async () => {
    expect(at((await create()).body, 'data')).toEqual({
      id: expect.any(String),
      companyId,
      state: 'DRAFT',
      name: 'Example GmbH',
      defaultCurrency: 'EUR',
      country: 'UNDEFINED',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it.each('UNDEFINED DE US AC AN BU CP CS DG EA EU EZ FX IC NT SF SU TA TP UK XI XU XK YU ZR'.split(' '))(
    'accepts the country %s [P6, P1.8]',
    async (country) => {
      expect(at((await create({ country })).body, 'data', 'country')).toBe(country);
    },
  );

  it.each([
    ['no name', { name: undefined }],
    ['no defaultCurrency', { defaultCurrency: undefined }],
    ['no companyId', { companyId: undefined }],
    ['an unknown currency', { defaultCurrency: 'XYZ' }],
    ['a currency in small letters', { defaultCurrency: 'eur' }],
    ['an unknown country', { country: 'QQ' }],
    ['a country in small letters', { country: 'de' }],
    ['an empty externalId', { externalId: '' }],
  ])('answers 400 to %s [P6]', async (_case, extra) => {
    const answer = await create(extra);
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('answers 409 when the company has a vendor with the externalId [P6, P13]', async () => {
    await simulator.control('POST', `/companies/${foreignId}/vendors`, [{ name: 'F', externalId: 'V1' }]);
    expect((await create({ externalId: 'V1' })).status).toBe(201);
    const answer = await create({ externalId: 'V1', name: 'Other' });
    expect([answer.status, at(answer.body, 'type')]).toEqual([409, 'VENDOR_ALREADY_EXISTS']);
    expect((await create({ code: 'V1' })).status).toBe(201);
    expect((await create({ code: 'V1' })).status).toBe(201);
  });

  it('creates one vendor for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ externalId: 'V1' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('refuses an externalId that is too long to be unique, with 400', async () => {
    // Random: what repeats itself is compressed, and fits longer.
    const externalId = randomBytes(2_000).toString('hex');
    const answer = await create({ externalId });
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
    const id = idOf(await create());
    expect((await update(id, { externalId })).status).toBe(400);
    expect((await call('POST', `/v1/vendors/${id}:activate`, { externalId })).status).toBe(400);
    expect((await create({ externalId: 'é'.repeat(500) })).status).toBe(201);
  });

  it('answers 403 to another company [P0.4]', async () => {
    expect((await create({ companyId: foreignId })).status).toBe(403);
  });
});

describe('a vendor', () => {
  it('is activated with 204 and its externalId [P6]', async () => {
    const id = idOf(await create({ code: 'old' }));
    const answer = await call('POST', `/v1/vendors/${id}:activate`, { externalId: 'V9' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await call('GET', `/v1/vendors/${id}`)).body).toMatchObject({
      data: { state: 'ACTIVE', externalId: 'V9', code: 'old' },
    });
    await call('POST', `/v1/vendors/${id}:activate`, { externalId: 'V9', code: 'new' });
    expect((await call('GET', `/v1/vendors/${id}`)).body).toMatchObject({ data: { code: 'new' } });
  });

  it('is archived with 204 and without a body, and activated again [P6]', async () => {
    const id = idOf(await create());
    const answer = await call('POST', `/v1/vendors/${id}:archive`);
    expect([answer.status, answer.text, await stateOf(id)]).toEqual([204, '', 'ARCHIVED']);
    await call('POST', `/v1/vendors/${id}:activate`, { externalId: 'V1' });
    expect(await stateOf(id)).toBe('ACTIVE');
  });

  it('is activated only with an externalId that no other vendor has [P6]', async () => {
    const id = idOf(await create());
    expect((await call('POST', `/v1/vendors/${id}:activate`, { code: '1' })).status).toBe(400);
    await create({ externalId: 'taken' });
    expect((await call('POST', `/v1/vendors/${id}:activate`, { externalId: 'taken' })).status).toBe(409);
    expect(await stateOf(id)).toBe('DRAFT');
  });

  it.each(['DRAFT', 'ACTIVE', 'ARCHIVED'])('is updated to %s, 200 [P6]', async (state) => {
    const id = idOf(await create({ code: 'old', country: 'DE' }));
    const answer = await update(id, { state, name: 'New' });
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'data')).toEqual({
      id,
      companyId,
      state,
      name: 'New',
      defaultCurrency: 'EUR',
      country: 'UNDEFINED',
      externalId: 'V1',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it.each([
    ['companyId', 400],
    ['defaultCurrency', 400],
    ['externalId', 400],
    ['name', 400],
    ['state', 400],
  ])('gets for an update without %s the status %d [P6]', async (field, status) => {
    const id = idOf(await create());
    expect((await update(id, { [field]: undefined })).status).toBe(status);
  });

  it('gets 409 for an update to an externalId in use [P6]', async () => {
    const id = idOf(await create());
    await create({ externalId: 'taken' });
    const answer = await update(id, { externalId: 'taken' });
    expect([answer.status, at(answer.body, 'type')]).toEqual([409, 'VENDOR_ALREADY_EXISTS']);
    expect(await stateOf(id)).toBe('DRAFT');
  });

  it.each([
    ['GET', '', undefined],
    ['PUT', '', {}],
    ['POST', ':activate', { externalId: 'V1' }],
    ['POST', ':archive', undefined],
  ])('%s …/{id}%s answers 404 to an unknown and a foreign id [P6]', async (method, suffix, body) => {
    for (const id of [randomUUID(), await foreignVendor()]) {
      const answer = method === 'PUT' ? await update(id) : await call(method, `/v1/vendors/${id}${suffix}`, body);
      expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'VENDOR_NOT_FOUND']);
    }
  });

  it('gets 400 for an invalid id in the path [P0.4]', async () => {
    expect((await call('POST', '/v1/vendors/me:archive')).status).toBe(400);
    expect((await call('POST', `/v1/vendors/${SOME_ID}:delete`)).status).toBe(404);
  });
});

describe('searching vendors', () => {
  const names = async (body: unknown, query = `company_id=${companyId}`) =>
    listAt((await call('POST', `/v1/vendors:search?${query}`, body)).body, 'data').map((each) => at(each, 'name'));
  let ids: readonly string[];
  beforeEach(async () => {
    const seeded = await simulator.control('POST', `/companies/${companyId}/vendors`, [
      { name: 'A', code: '1', externalId: 'x1', country: 'DE', state: 'DRAFT', taxRegistrationNumber: 'DE1' },
      { name: 'B', code: '2', externalId: 'x2', country: 'DK', accountingSystem: 'xero' },
      { name: 'C', code: '2', state: 'ARCHIVED' },
    ]);
    ids = listAt(seeded, 'ids').map(String);
  });

  it.each([
    ['no body', undefined, ['A', 'B', 'C']],
    ['an empty body', {}, ['A', 'B', 'C']],
    ['codes', { codes: ['2'] }, ['B', 'C']],
    ['externalIds', { externalIds: ['x1', 'none'] }, ['A']],
    ['countries', { countries: ['DE', 'UNDEFINED'] }, ['A', 'C']],
    ['states', { states: ['DRAFT', 'ARCHIVED'] }, ['A', 'C']],
    ['taxRegistrationNumbers', { taxRegistrationNumbers: ['DE1'] }, ['A']],
    ['accountingSystems', { accountingSystems: ['xero'] }, ['B']],
    ['name', { name: 'C' }, ['C']],
    ['several filters', { codes: ['2'], states: ['ACTIVE'] }, ['B']],
    ['empty lists', { codes: [], states: [] }, ['A', 'B', 'C']],
  ])('filters by %s [P6]', async (_case, body, expected) => {
    expect(await names(body)).toEqual(expected);
  });

  it('filters by ids, and shows data and pagination [P6]', async () => {
    expect(await names({ ids: [ids[2], ids[0]] })).toEqual(['A', 'C']);
    const answer = await call('POST', `/v1/vendors:search?company_id=${companyId}&limit=1`);
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'pagination')).toMatchObject({
      total: 3,
      hasNextPage: true,
      currentRequestPagination: { parameters: { company_id: [companyId] }, limit: 1 },
    });
  });

  it.each([
    ['no company_id', '', {}, 400],
    ['another company', 'foreign', {}, 403],
    ['101 codes', 'own', { codes: Array.from({ length: 101 }, (_, index) => `${index}`) }, 400],
    ['five states', 'own', { states: ['DRAFT', 'ACTIVE', 'ARCHIVED', 'DRAFT', 'ACTIVE'] }, 400],
    ['an unknown state', 'own', { states: ['GONE'] }, 400],
  ])('%s is refused [P6]', async (_case, whose, body, status) => {
    const query = { own: `company_id=${companyId}`, foreign: `company_id=${foreignId}` }[whose] ?? '';
    expect((await call('POST', `/v1/vendors:search?${query}`, body)).status).toBe(status);
  });

  it('filters nothing by what is null [P6]', async () => {
    const lists = ['ids', 'codes', 'externalIds', 'countries', 'states', 'taxRegistrationNumbers', 'accountingSystems'];
    expect(await names(Object.fromEntries([...lists, 'name'].map((filter) => [filter, null])))).toEqual([
      'A',
      'B',
      'C',
    ]);
  });

  it('accepts 100 codes [P6]', async () => {
    expect(await names({ codes: Array.from({ length: 100 }, (_, index) => `${index}`) })).toEqual(['A', 'B', 'C']);
  });
});

describe('the event v1.vendor.created', () => {
  const subscribe = async (scopes: readonly string[], eventTypes = ['v1.vendor.created']) => {
    const key = textAt(await simulator.control('POST', '/api-keys', { companyId, scopes }), 'apiKey');
    // No server listens on the discard port: what counts is that the notification was stored.
    return simulator.call('POST', '/v1/subscriptions', {
      token: key,
      body: { endpointUrl: 'http://127.0.0.1:9/hook', eventTypes },
    });
  };
  const notifications = async () => {
    const deliveries = await simulator.control('GET', `/deliveries?company_id=${companyId}`);
    return (Array.isArray(deliveries) ? deliveries : []).map((each: unknown): unknown =>
      JSON.parse(textAt(each, 'body')),
    );
  };

  it('is sent for a draft that a person creates [P2.2, P2.3]', async () => {
    expect((await subscribe(['vendors:read'])).status).toBe(200);
    const employeeId = randomUUID();
    const vendor = await simulator.control('POST', `/companies/${companyId}/draft-vendors`, {
      name: 'New',
      defaultCurrency: 'EUR',
      country: 'DE',
      taxRegistrationNumber: 'DE1',
      employeeId,
    });
    expect(await notifications()).toEqual([
      {
        payload: {
          eventType: 'v1.vendor.created',
          eventId: expect.any(String),
          data: {
            id: at(vendor, 'id'),
            companyId,
            name: 'New',
            country: 'DE',
            registrationNumber: '',
            taxRegistrationNumber: 'DE1',
            code: null,
            state: 'DRAFT',
            defaultCurrency: 'EUR',
            createdBy: employeeId,
            createdAt: at(vendor, 'createdAt'),
            updatedAt: at(vendor, 'updatedAt'),
            deletedAt: null,
          },
        },
      },
    ]);
  });

  it('is sent for a vendor that is not in the accounting system, and for no other [P2.2]', async () => {
    await subscribe(['vendors:read']);
    await create({ externalId: 'V1' });
    const draft = await create();
    expect((await notifications()).map((body) => at(body, 'payload', 'data', 'id'))).toEqual([idOf(draft)]);
  });

  it('requires read access to vendors [P2.1]', async () => {
    expect((await subscribe(['export-jobs:read'])).status).toBe(403);
    await subscribe(['export-jobs:read'], ['v1.export-job.created']);
    await create();
    expect(await notifications()).toEqual([]);
  });
});
