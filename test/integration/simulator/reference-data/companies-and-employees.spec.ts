import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const organizationId = randomUUID();

const simulator = startedOnce(() => SimulatorHarness.start());
let companies: readonly string[];
let foreignCompany: string;
let ofCompany: string;
let ofOrganization: string;
let employees: readonly string[];
let foreignEmployee: string;

beforeAll(async () => {
  const made = await simulator.control('POST', '/companies', [
    { name: 'B', organizationId, registrationNumber: '2' },
    { name: 'A', organizationId },
    { name: 'C', organizationId, registrationNumber: '1' },
  ]);
  companies = (Array.isArray(made) ? made : []).map((company: unknown) => textAt(company, 'id'));
  foreignCompany = await simulator.addCompany();
  ofCompany = textAt(await simulator.control('POST', '/api-keys', { companyId: companies[0] }), 'apiKey');
  ofOrganization = textAt(await simulator.control('POST', '/api-keys', { organizationId }), 'apiKey');
  const added = await simulator.control('POST', `/companies/${companies[0] ?? ''}/employees`, [
    {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'L',
      code: 'E1',
      jobTitle: 'Engineer',
      phone: '+45 1',
    },
    { email: 'bob@example.com', firstName: 'Bob', lastName: 'M' },
  ]);
  const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Other' };
  await simulator.control('POST', `/companies/${companies[1] ?? ''}/employees`, person);
  employees = listAt(added, 'ids').map(String);
  foreignEmployee = textAt(await simulator.control('POST', `/companies/${foreignCompany}/employees`, person), 'id');
});

const get = (path: string, token = ofOrganization) => simulator.call('GET', path, { token });
const shown = async (path: string, field: string, token = ofOrganization) =>
  listAt((await get(path, token)).body, 'data').map((each) => at(each, field));

describe('companies', () => {
  it('have contra accounts for currencies of ISO 4217, and for what items name in place of one', async () => {
    const made = (currency: string) =>
      simulator.call('POST', '/control/companies', { body: { name: 'D', contraAccounts: { [currency]: {} } } });
    const refused = await made('EUX');
    expect([refused.status, at(refused.body, 'message')]).toEqual([
      400,
      'Validation failed for the request body: 0.contraAccounts.EUX: is no ISO 4217 currency code',
    ]);
    expect([(await made('KWD')).status, (await made('XAU')).status]).toEqual([201, 201]);
  });

  it('of the credential are listed [P8]', async () => {
    expect(await shown('/v1/companies', 'name')).toEqual(['B', 'A', 'C']);
    expect(await shown('/v1/companies', 'name', ofCompany)).toEqual(['B']);
  });

  it('are searched within an organization [P8]', async () => {
    const path = `/v1/companies?organization_id=${organizationId}`;
    expect(await shown(path, 'name')).toEqual(['B', 'A', 'C']);
    expect(await shown(path, 'name', ofCompany)).toEqual(['B']);
    expect(at((await get(path)).body, 'pagination', 'currentRequestPagination', 'parameters')).toEqual({
      organization_id: [organizationId],
    });
  });

  it.each([
    ['another organization [P8]', randomUUID(), 403],
    ['an organization that is no id [P0.4]', 'mine', 400],
  ])('%s is refused', async (_case, id, status) => {
    expect((await get(`/v1/companies?organization_id=${id}`)).status).toBe(status);
  });

  it('are sorted, with nulls where the order says [P0.2]', async () => {
    const sorted = (order: string) =>
      shown(`/v1/companies?sorting_keys=registrationNumber&sorting_order=${order}`, 'name');
    expect(await sorted('ASC')).toEqual(['C', 'B', 'A']);
    expect(await sorted('DESC_NULLS_LAST')).toEqual(['B', 'C', 'A']);
  });

  it.each([
    ['own', 0, 200],
    ['foreign', undefined, 403],
  ])('are read one by one: the %s one [P8]', async (_case, index, status) => {
    const id = index === undefined ? foreignCompany : (companies[index] ?? '');
    expect((await get(`/v1/companies/${id}`)).status).toBe(status);
  });

  it('that do not exist are not found [P8]', async () => {
    const answer = await get(`/v1/companies/${randomUUID()}`);
    expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'COMPANY_NOT_FOUND']);
  });
});

describe('employees', () => {
  it('of the credential are listed, without unknown fields [P8]', async () => {
    const answer = await get('/v2/employees');
    expect(answer.status).toBe(200);
    expect(listAt(answer.body, 'data')[0]).toEqual({
      id: employees[0],
      companyId: companies[0],
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'L',
      code: 'E1',
      jobTitle: 'Engineer',
      phone: '+45 1',
    });
    expect(listAt(answer.body, 'data')[1]).toEqual({
      id: employees[1],
      companyId: companies[0],
      email: 'bob@example.com',
      firstName: 'Bob',
      lastName: 'M',
    });
    expect(at(answer.body, 'pagination', 'total')).toBe(3);
  });

  it.each([
    ['email', 'email=ADA@example.com', ['L', 'Other']],
    ['code', 'code=E1', ['L']],
    ['email of no employee', 'email=eve@example.com', []],
  ])('are searched by %s [P8]', async (_case, query, expected) => {
    expect(await shown(`/v2/employees?${query}`, 'lastName')).toEqual(expected);
  });

  it('searched by a text that no database can compare get 400 [P0.4]', async () => {
    expect((await get('/v2/employees?code=%00')).status).toBe(400);
  });

  it('are searched by companyId, in camel case [P0.1]', async () => {
    expect(await shown(`/v2/employees?companyId=${companies[1] ?? ''}`, 'lastName')).toEqual(['Other']);
    expect((await get(`/v2/employees?companyId=${foreignCompany}`)).status).toBe(403);
    expect(await shown(`/v2/employees?company_id=${companies[1] ?? ''}`, 'lastName')).toHaveLength(3);
  });

  it.each([
    ['own', () => employees[0] ?? '', 200],
    ['unknown', () => randomUUID(), 404],
    ['foreign', () => foreignEmployee, 403],
    ['no id', () => 'me', 400],
  ])('are read one by one: one that is %s [P8]', async (_case, id, status) => {
    expect((await get(`/v2/employees/${id()}`)).status).toBe(status);
  });
});
