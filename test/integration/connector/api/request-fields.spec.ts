import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { requestFields, type RequestField } from '../../../support/openapi-fields.js';
import { startedOnce } from '../../../support/started-once.js';
import { BadRequests, PROBLEM, UNKNOWN_ID, type Method } from './bad-requests.js';

// What every field of every route does with values that no sample has; the routes and their fields are those of the document.

const MAX_VALUES = 20_000;
const MAX_NAMES = 500;
const MAX_ERRORS = 100;
/** Of the processor, for a request that is refused: a fifth of it on a machine that has nothing else to do. */
const MAX_MS = 1_000;

const requests = startedOnce(() => BadRequests.start());
let fields: readonly RequestField[];

beforeAll(async () => {
  fields = requestFields((await requests.send('GET', '/api/openapi.json')).json);
});

async function send({ method, path }: RequestField, body: string) {
  const isOfOperator = path.startsWith('/api/v1/operator');
  const began = process.cpuUsage();
  const answer = await requests.send(method as Method, path.replace(/\{[^}]+\}/g, UNKNOWN_ID), {
    body,
    headers: { 'if-match': '"0"' },
    ...(isOfOperator && { bearer: OPERATOR_TOKEN }),
  });
  const { user, system } = process.cpuUsage(began);
  const errors = (Reflect.get(Object(answer.json), 'errors') ?? []) as readonly { readonly pointer: string }[];
  return { ...answer, errors, ms: (user + system) / 1_000 };
}

describe('a list', () => {
  it('that is too long is refused for its length alone, in every field of every route', async () => {
    const lists = fields.filter(({ isList }) => isList);
    expect(lists.map(({ path, pointer }) => path + pointer)).toContain('/api/v1/mapping/rules/bulk/upserts');
    for (const field of lists) {
      for (const element of [{}, 0, { a: { b: {} } }]) {
        const count = Math.floor((MAX_VALUES - 10) / JSON.stringify(element).split(':').length);
        const body = JSON.stringify(field.bodyWith(Array.from({ length: count }, () => element)));
        const { status, type, errors, text, ms } = await send(field, body);
        const { method, path, pointer } = field;
        expect({ method, path, pointer, element, status, type, at: errors.map((error) => error.pointer) }).toEqual({
          ...{ method, path, pointer, element, status: 400, type: PROBLEM },
          at: [pointer],
        });
        expect({ path, pointer, isShort: text.length < 1_000, isQuick: ms < MAX_MS }).toEqual({
          ...{ path, pointer, isShort: true, isQuick: true },
        });
      }
    }
  });
});

describe('null', () => {
  it('is refused in every field of every route that is not documented to take it', async () => {
    const optional = fields.filter(({ isRequired }) => !isRequired);
    expect(optional.length).toBeGreaterThan(30);
    for (const field of fields) {
      const { status, errors } = await send(field, JSON.stringify(field.bodyWith(null)));
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
        expect({ path: field.path, body: body.slice(0, 40), status, type, isQuick: ms < MAX_MS }).toEqual({
          ...{ path: field.path, body: body.slice(0, 40), status: 413, type: PROBLEM, isQuick: true },
        });
      }
    }
  });

  it('within these bounds costs little, and is told a hundred mistakes at most, on every route', async () => {
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
});
