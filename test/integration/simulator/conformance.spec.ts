// Our own simulator under the suite that can be run against any platform.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createServer } from 'node:http';
import { CONFORMANCE_ROWS } from '../../conformance/conformance-rows.js';
import { DOCUMENTED_RESPONSES, WITHOUT_ROW } from '../../conformance/documented-responses.js';
import { DOCUMENTED_FACTS } from '../../conformance/documented-facts.js';
import {
  DOCUMENTED_ERRORS,
  DOCUMENTED_OPERATIONS,
  NOT_FOR_INTEGRATIONS,
} from '../../conformance/documented-operations.js';
import { operationOf, Platform, type Exchange, Sandbox } from '../../conformance/platform.js';
import { OpenApiContract } from '../../support/openapi-contract.js';
import { at, exportItem, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let platform: Platform;
const exchanges: Exchange[] = [];
/** Operation and status of every exchange, by the area of the row that had it. */
const seenIn: (readonly [area: string, operation: string])[] = [];

/** How many rows each area has: one that goes, or comes, is noticed. */
const EXPECTED_ROWS: readonly (readonly [area: string, rows: number])[] = [
  ['access and installations', 27],
  ['paging', 19],
  ['subscriptions', 17],
  ['export', 35],
  ['accounts, tax codes, vendors', 24],
  ['tags', 16],
  ['reference data in detail', 32],
  ['required fields', 53],
  ['fields of answers', 99],
  ['fields of items', 44],
  ['enumerations', 113],
  ['values on items', 25],
  ['rules of items', 21],
  ['lists, and what is not there', 69],
  ['filters', 27],
  ['limits', 23],
  ['jobs, results, errors', 27],
  ['states of a job', 27],
  ['export items, versions and currencies', 44],
  ['authorization server', 34],
  ['webhooks', 26],
  ['contents of notifications', 23],
  ['scopes', 146],
];
const FACTS = CONFORMANCE_ROWS.flatMap(([, rows]) => rows.map(({ fact }) => fact));

beforeAll(async () => {
  const companyId = await simulator.addCompany({ multiCurrency: true });
  const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  const entryIds = await simulator.addItems(companyId, [exportItem(-100), exportItem(-200)]);
  const narrow = await simulator.control('POST', '/api-keys', { companyId, scopes: ['test:test'] });
  const address = { url: simulator.url, token, entryIds, narrowToken: textAt(narrow, 'apiKey') };
  platform = new Platform(address, new Sandbox(simulator.url, exchanges), exchanges);
  // Room for the groups of rows whose tidying up is not over yet.
  await simulator.control('PUT', '/settings', { mostActiveTagGroups: 100 });
});
afterEach(() => platform.cleanUp());

/** Two operations are also documented without the prefix (P3.6); the others of their family come along. */
const WITHOUT_PREFIX = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => `${method} /installations/me`);

describe.each(CONFORMANCE_ROWS)('%s', (area, rows) => {
  it.each(rows)('$fact [$source]', async ({ observe, expected }) => {
    const before = exchanges.length;
    expect(await observe(platform)).toEqual(expected);
    seenIn.push(...exchanges.slice(before).map((each) => [area, `${operationOf(each)} ${each.status}`] as const));
  });
});

describe('the conformance suite', () => {
  it('has the expected rows in every area', () => {
    expect(CONFORMANCE_ROWS.map(([area, rows]) => [area, rows.length])).toEqual(EXPECTED_ROWS);
  });

  it.each([...DOCUMENTED_FACTS, ...DOCUMENTED_RESPONSES])('has a row for each “%s” of %s', (fact, _source, values) => {
    expect(values.filter((value) => !FACTS.includes(fact.replace('{}', value)))).toEqual([]);
  });

  it('omits no fact about which it has a row', () => {
    const words = WITHOUT_ROW.map(([fact]) => fact.split(' ')[0] ?? '').filter((word) => /^[A-Z_]{6,}$/.test(word));
    expect(FACTS.filter((fact) => words.some((word) => fact.includes(word)))).toEqual([]);
  });

  it('has a row about the credential of every documented operation', () => {
    const without = DOCUMENTED_OPERATIONS.filter(
      ({ operation }) => !FACTS.some((fact) => fact.startsWith(`${operation} needs a credential`)),
    );
    expect(without.map(({ operation }) => operation)).toEqual([]);
  });

  it('has seen every documented operation succeed, and fail with every documented status', () => {
    const refused = new Set(seenIn.map(([, operation]) => operation));
    // That a scope suffices is no proof of what an operation does: another row must have seen it.
    const done = new Set(seenIn.filter(([area]) => area !== 'scopes').map(([, operation]) => operation));
    const missing = DOCUMENTED_OPERATIONS.flatMap(({ operation, success, refusals }) => [
      ...[success, ...refusals].map((status) => `${operation} ${status}`).filter((each) => !done.has(each)),
      ...[`${operation} 401`].filter((each) => !refused.has(each)),
    ]);
    expect(missing).toEqual([]);
  });

  it('has seen every documented error type', () => {
    const seen = new Set(exchanges.map(({ status, response: answer }) => `${status} ${String(at(answer, 'type'))}`));
    const documented = DOCUMENTED_ERRORS.map(([status, type]) => `${status} ${type}`);
    expect(documented.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('calls every operation of the simulator, and the documents list each of them', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const served = Object.entries(Object.assign({}, at(body, 'paths')))
      .filter(([path]) => /^\/(v\d|installations)/.test(path))
      .flatMap(([path, methods]) =>
        Object.keys(Object.assign({}, methods)).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '*')}`,
        ),
      );
    const documented = DOCUMENTED_OPERATIONS.map(({ operation }) => operation);
    expect(documented.filter((operation) => !served.includes(operation))).toEqual([]);
    for (const [path] of NOT_FOR_INTEGRATIONS) {
      expect(served.filter((operation) => operation.includes(path))).toEqual([]);
    }
    expect(served.filter((operation) => !documented.includes(operation))).toEqual(WITHOUT_PREFIX);
  });

  it('sends and receives only what the OpenAPI document describes', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const contract = new OpenApiContract(body);
    expect(exchanges.length).toBeGreaterThan(1_000);
    const problems = exchanges.flatMap((exchange) => contract.problems(exchange));
    expect([...new Set(problems)]).toEqual([]);
  });

  it('has a valid OpenAPI document with both ways to authenticate', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const { valid, errors } = await new Validator().validate(Object.assign({}, body));
    expect([valid, errors]).toEqual([true, undefined]);
    const schemes = Object.values(Object.assign({}, at(body, 'components', 'securitySchemes')));
    expect(schemes.map((scheme) => at(scheme, 'scheme')).toSorted()).toEqual(['basic', 'bearer']);
    const operations = Object.values(Object.assign({}, at(body, 'paths'))).flatMap((each) =>
      Object.values(Object.assign({}, each)),
    );
    const platform = operations.filter((each) => at(each, 'security') !== undefined);
    expect(platform.map((each) => at(each, 'security'))).toEqual(
      platform.map(() => expect.arrayContaining([{ bearer: [] }, { basic: [] }])),
    );
  });

  it('names a source for every fact, and each fact once', () => {
    const rows = CONFORMANCE_ROWS.flatMap(([, each]) => each);
    expect(rows.filter(({ source }) => !/^(P\d|RFC)/.test(source))).toEqual([]);
    expect(new Set(rows.map(({ fact }) => fact)).size).toBe(rows.length);
  });

  it('has no row that passes on a platform that responds 500 to everything', async () => {
    const server = createServer((_request, response) => response.writeHead(500).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${port}`;
    const broken = new Platform({ ...platform.address, url }, new Sandbox(url, []));
    const green: string[] = [];
    for (const { fact, observe, expected } of CONFORMANCE_ROWS.flatMap(([, rows]) => rows)) {
      try {
        expect(await observe(broken)).toEqual(expected);
        green.push(fact);
      } catch {
        await broken.cleanUp();
      }
    }
    server.close();
    server.closeAllConnections();
    expect(green).toEqual([]);
  });
});
