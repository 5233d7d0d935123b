import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { requestFields, type RequestField } from '../../../support/openapi-fields.js';
import { startedOnce } from '../../../support/started-once.js';
import { BadRequests, PROBLEM, UNKNOWN_ID, type Method } from '../api/bad-requests.js';
import { storedState } from './stored-state.js';

// What every field of every route does with values that no sample has; the routes and their fields are those of the document, so
// that a new one is attacked too. How many requests these are stands in docs/security.md.

const MAX_VALUES = 20_000;
const MAX_NAMES = 500;
const MAX_ERRORS = 100;
/** Of the processor, for a request that is refused: a fifth of it on a machine that has nothing else to do. */
const MAX_MS = 1_000;

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const isRefused = (status: number) => status >= 400 && status < 500;

const requests = startedOnce(() => BadRequests.start());
let fields: readonly RequestField[];
let queries: readonly { readonly method: Method; readonly path: string; readonly name: string }[];
const sent = { lists: 0, fields: 0, queries: 0 };

beforeAll(async () => {
  const { json } = await requests.send('GET', '/api/openapi.json');
  fields = requestFields(json);
  const { paths } = json as { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };
  queries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
      parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => ({ method: method.toUpperCase() as Method, path, name })),
    ),
  );
});

const isOfOperator = (path: string) => path.startsWith('/api/v1/operator');
const withoutBody = (path: string) => path.replace(/\{[^}]+\}/g, UNKNOWN_ID);

/** The least of three tries where one takes long: in any one of them the process may collect what the tests before it have left. */
async function send(field: Pick<RequestField, 'method' | 'path'>, body: string) {
  let answer = await sendOnce(field, body);
  for (let tries = 1; tries < 3 && answer.ms >= MAX_MS; tries += 1) {
    answer = await sendOnce(field, body);
  }
  return answer;
}

async function sendOnce({ method, path }: Pick<RequestField, 'method' | 'path'>, body: string) {
  const began = process.cpuUsage();
  const answer = await requests.send(method as Method, withoutBody(path), {
    body,
    headers: { 'if-match': '"0"' },
    ...(isOfOperator(path) && { bearer: OPERATOR_TOKEN }),
  });
  const { user, system } = process.cpuUsage(began);
  const errors = (Reflect.get(Object(answer.json), 'errors') ?? []) as readonly { readonly pointer: string }[];
  return { ...answer, errors, ms: (user + system) / 1_000 };
}

/** What is expected of every refusal, whatever its status. */
function boundsOf({ type, text, errors, ms }: Awaited<ReturnType<typeof sendOnce>>) {
  return { type, isShort: text.length < 32_000, isBounded: errors.length <= MAX_ERRORS, isQuick: ms < MAX_MS };
}
const BOUNDED = { type: PROBLEM, isShort: true, isBounded: true, isQuick: true };

const listOf = (count: number, element: unknown) => Array.from({ length: count }, () => element);

describe('a list in a request', () => {
  it('that is too long is refused by its length alone, in every field of every route', async () => {
    const lists = fields.filter(({ isList }) => isList);
    expect(lists.map(({ path, pointer }) => path + pointer)).toContain('/api/v1/mapping/rules/bulk/upserts');
    for (const field of lists) {
      const { method, path, pointer, maxItems } = field;
      expect({ path, pointer, isDocumented: maxItems !== undefined }).toEqual({ path, pointer, isDocumented: true });
      for (const element of [{}, 0, { a: { b: {} } }, null, [], 'x']) {
        const most = Math.floor((MAX_VALUES - 10) / JSON.stringify(element).split(':').length);
        for (const count of [(maxItems ?? 0) + 1, most]) {
          const answer = await send(field, JSON.stringify(field.bodyWith(listOf(count, element))));
          sent.lists += 1;
          const at = answer.errors.map((error) => error.pointer);
          expect({ method, path, pointer, element, count, status: answer.status, at, ...boundsOf(answer) }).toEqual({
            ...{ method, path, pointer, element, count, status: 400, at: [pointer], ...BOUNDED },
          });
          expect(answer.text.length).toBeLessThan(1_000);
        }
      }
    }
  });

  it('of 255 kB of {}, or of 100,000 elements, is 413 in every field of every route', async () => {
    for (const field of fields) {
      for (const value of [listOf(85_000, {}), listOf(100_000, 0)]) {
        const answer = await send(field, JSON.stringify(field.bodyWith(value)));
        sent.lists += 1;
        const { method, path, pointer } = field;
        expect({ method, path, pointer, status: answer.status, ...boundsOf(answer) }).toEqual({
          ...{ method, path, pointer, status: 413, ...BOUNDED },
        });
      }
    }
  });
});

/** By the type that a value has; what fits a field is not sent to it. */
const WRONG: readonly (readonly [type: string, value: unknown])[] = [
  ['boolean', true],
  ['integer', 7],
  ['integer', -1],
  ['number', 1e308],
  ['number', 0.5],
  ['string', '7'],
  ['string', 'x'],
  ['array', []],
  ['array', [[]]],
  ['array', [{}]],
  ['object', { a: 'b' }],
  ['object', { length: 1, '0': 'x' }],
];
/** They fit no field at all. */
const HOSTILE: readonly unknown[] = [
  '\0',
  'x\0y',
  '\ud800',
  'x'.repeat(50_000),
  'x'.repeat(200_000),
  ['\0'],
  { '\0': 1 },
  { constructor: { prototype: 1 } },
  Array.from({ length: 28 }).reduce<unknown>((inner) => [inner], 0),
  Array.from({ length: 28 }).reduce<unknown>((a) => ({ a }), 0),
];
const FITS: Readonly<Record<string, readonly string[]>> = { number: ['integer', 'number'] };

// Thousands of requests, one after the other, on a machine that does other things as well.
jest.setTimeout(400_000);

describe('a field', () => {
  it('refuses another type, U+0000, deep nesting and endless text, and changes nothing, on every route', async () => {
    const before = await storedState(requests.admin);
    for (const field of fields) {
      const { type = '' } = field;
      const wrong = WRONG.filter(([of]) => type !== '' && !(FITS[type] ?? [type]).includes(of)).map(
        ([, value]) => value,
      );
      for (const value of [...wrong, ...HOSTILE]) {
        const answer = await send(field, JSON.stringify(field.bodyWith(value)));
        sent.fields += 1;
        const { method, path, pointer } = field;
        const shown = JSON.stringify(value).slice(0, 40);
        expect({ method, path, pointer, shown, isRefused: isRefused(answer.status), ...boundsOf(answer) }).toEqual({
          ...{ method, path, pointer, shown, isRefused: true, ...BOUNDED },
        });
      }
    }
    expect(await storedState(requests.admin)).toBe(before);
  });

  it('of a query refuses U+0000, endless text and any form of an object, on every route', async () => {
    const before = await storedState(requests.admin);
    for (const { method, path, name } of queries) {
      for (const query of [
        `${name}=%00`,
        `${name}=x%00y`,
        `${name}=${'x'.repeat(7_000)}`,
        `${name}[a]=1`,
        `${name}=1&${name}=2`,
      ]) {
        const answer = await requests.send(method, `${withoutBody(path)}?${query}`, {
          ...(isOfOperator(path) && { bearer: OPERATOR_TOKEN }),
        });
        sent.queries += 1;
        const { status, type } = answer;
        expect({ method, path, query: query.slice(0, 40), isRefused: isRefused(status), status, type }).toEqual({
          ...{ method, path, query: query.slice(0, 40), isRefused: true, status, type: PROBLEM },
        });
      }
    }
    expect(await storedState(requests.admin)).toBe(before);
  });
});

/** Blanks there are as good as nothing; a rule's are read as those of a file, which names them in its own way. */
const MAY_BE_BLANK = /resolution\/note$|\/issues\/.*\/rule\/(?!target$)|\/mapping\/rules|\/previews\/rules/;

describe('blanks alone', () => {
  it('are refused in every text of every route, but where they stand for nothing', async () => {
    const taken: string[] = [];
    for (const field of fields.filter(({ type }) => type === 'string')) {
      const { errors } = await send(field, JSON.stringify(field.bodyWith(' \u2003\u200b')));
      sent.fields += 1;
      if (!errors.some(({ pointer }) => pointer === field.pointer)) {
        taken.push(field.path + field.pointer);
      }
    }
    expect(taken.filter((one) => !MAY_BE_BLANK.test(one))).toEqual([]);
  });
});

describe('null', () => {
  it('is refused in every field of every route that does not document it', async () => {
    const optional = fields.filter(({ isRequired }) => !isRequired);
    expect(optional.length).toBeGreaterThan(30);
    for (const field of fields) {
      const { status, errors } = await send(field, JSON.stringify(field.bodyWith(null)));
      sent.fields += 1;
      const { method, path, pointer, isNullable } = field;
      const isNamed = errors.some((error) => error.pointer === pointer);
      expect({ method, path, pointer, isNamed, isBroken: status >= 500 }).toEqual({
        ...{ method, path, pointer, isNamed: !isNullable, isBroken: false },
      });
      expect([path, pointer, isNullable ? 400 : status]).toEqual([path, pointer, 400]);
    }
  });
});

describe('a body', () => {
  const oneOfEach = () => new Map(fields.map((field) => [`${field.method} ${field.path}`, field])).values();

  it('of more than 20,000 values, or more than 32 levels, is 413 on every route', async () => {
    const deep = (levels: number) => '[{"a":'.repeat(levels / 2) + '0' + '}]'.repeat(levels / 2);
    for (const field of oneOfEach()) {
      for (const body of [
        `[${'{},'.repeat(MAX_VALUES - 1)}{}]`,
        `{"a":[${'0,'.repeat(MAX_VALUES - 2)}0]}`,
        JSON.stringify(field.bodyWith(Array.from({ length: MAX_VALUES }, () => ({})))),
        deep(34),
        deep(40_000),
        '['.repeat(5_000) + '"\\u0000',
      ]) {
        const { status, type, ms } = await send(field, body);
        sent.lists += 1;
        expect({ path: field.path, body: body.slice(0, 40), status, type, isQuick: ms < MAX_MS }).toEqual({
          ...{ path: field.path, body: body.slice(0, 40), status: 413, type: PROBLEM, isQuick: true },
        });
      }
    }
  });

  it('within these bounds costs little, and gets at most a hundred errors, on every route', async () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index.toString()}`, 0]));
    const names = named(MAX_NAMES);
    const objects = Array.from({ length: MAX_VALUES / MAX_NAMES - 1 }, () => names);
    const within = Object.fromEntries(objects.map((each, index) => [`o${index.toString()}`, each]));
    for (const field of oneOfEach()) {
      const tooMany = await send(field, JSON.stringify(field.bodyWith(named(MAX_NAMES + 1))));
      expect([field.path, field.pointer, tooMany.status]).toEqual([field.path, field.pointer, 413]);
      for (const body of [within, field.bodyWith(objects)]) {
        const { status, errors, ms } = await send(field, JSON.stringify(body));
        const { path, pointer } = field;
        expect({ path, pointer, isRefused: status >= 400 && status < 500, isQuick: ms < MAX_MS, status }).toEqual({
          ...{ path, pointer, isRefused: true, isQuick: true, status },
        });
        expect(errors.length).toBeLessThanOrEqual(MAX_ERRORS);
      }
    }
  });

  it('with endless names, or with names that every object has, gets a short refusal on every route', async () => {
    const endless = [1, 99].map((count) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index.toString()}${'n'.repeat(2_400)}`, 0])),
    );
    for (const field of oneOfEach()) {
      const { method, path } = field;
      for (const body of [...endless, { constructor: {} }, { toString: 1 }]) {
        const answer = await send(field, JSON.stringify(body));
        expect({ method, path, isRefused: isRefused(answer.status), ...boundsOf(answer) }).toEqual({
          ...{ method, path, isRefused: true, ...BOUNDED },
        });
        sent.lists += 1;
      }
    }
  });
});

it('every field was covered by this many requests', () => {
  expect(fields.length).toBeGreaterThanOrEqual(111);
  expect(queries.length).toBeGreaterThanOrEqual(78);
  expect(sent.lists).toBeGreaterThanOrEqual(468);
  expect(sent.fields).toBeGreaterThanOrEqual(2_349);
  expect(sent.queries).toBeGreaterThanOrEqual(390);
});
