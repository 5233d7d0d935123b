import { beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { execFile } from 'node:child_process';
import { glob, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startConnectorApp } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// What a client is generated from.

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface Operation {
  readonly requestBody?: Body;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, Body>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

const connector = startedOnce(startConnectorApp);
let document: Document;
let operations: readonly (readonly [name: string, path: string, operation: Operation])[];

beforeAll(async () => {
  document = (await connector.app.inject({ url: '/api/openapi.json' })).json<Document>();
  operations = Object.entries(document.paths).flatMap(([path, routes]) =>
    Object.entries(routes).map(([method, operation]) => [`${method} ${path}`, path, operation] as const),
  );
});

const ofPrograms = () => operations.filter(([, path]) => /^\/(api|problems|webhooks)(\/|$)/.test(path));

/** Where a schema leaves open what it describes. */
function untyped(schema: Schema | undefined, at: string): readonly string[] {
  if (schema === undefined) {
    return [at];
  }
  const { $ref, type, properties, additionalProperties, items } = schema;
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return document.components.schemas[name] === undefined ? [`${at}: ${name}`] : [];
  }
  if (parts.length > 0) {
    return parts.flatMap((part) => untyped(part, at));
  }
  if (type === 'array') {
    return untyped(items, `${at}[]`);
  }
  if (type === 'object') {
    const open = properties === undefined && additionalProperties === undefined ? [at] : [];
    return [...open, ...Object.entries(properties ?? {}).flatMap(([name, each]) => untyped(each, `${at}.${name}`))];
  }
  return type === undefined ? [at] : [];
}

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate({ ...document });
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it('lets null pass wherever it says that a field may be null', () => {
    const resolved = ({ $ref }: Schema) => document.components.schemas[$ref?.split('/').at(-1) ?? ''] ?? {};
    const refuses = (schema: Schema): boolean =>
      schema.nullable === true &&
      (schema.enum?.includes(null) === false ||
        (schema.type === undefined && schema.allOf === undefined) ||
        (schema.allOf ?? []).some((part) => resolved(part).nullable !== true));
    const found: string[] = [];
    JSON.stringify(document, function (this: unknown, name, value: unknown) {
      if (typeof value === 'object' && value !== null && refuses(value)) {
        found.push(`${name}: ${JSON.stringify(value)}`);
      }
      return value;
    });
    expect(found).toEqual([]);
  });

  it('describes every parameter', () => {
    const bare = operations.flatMap(([name, , { parameters = [] }]) =>
      parameters.filter(({ description = '' }) => description === '').map((parameter) => `${name} ${parameter.name}`),
    );
    expect(bare).toEqual([]);
  });

  it('needs a body where one of its fields is needed', () => {
    const required = (name: string) => operations.find(([one]) => one === name)?.[2].requestBody?.required;
    expect(required('post /api/v1/reconciliation')).toBe(false);
    expect(required('put /api/v1/issues/{issueKey}/handling')).toBe(false);
    expect(required('post /api/v1/mapping/rules')).toBe(true);
    expect(required('post /api/v1/mapping/rules/import')).toBe(true);
  });

  it('names and describes every operation', () => {
    expect(operations.length).toBeGreaterThan(90);
    const bare = operations.filter(
      ([, , { summary = '', description = '' }]) => summary === '' || description === '' || summary.length > 60,
    );
    expect(bare.map(([name]) => name)).toEqual([]);
    const ids = operations.map(([, , { operationId = '' }]) => operationId);
    expect([new Set(ids).size, ids.includes('')]).toEqual([ids.length, false]);
  });

  it('offers an Idempotency-Key for every POST of the administration API [D3.13]', () => {
    const posts = operations.filter(([name]) => name.startsWith('post /api/v1/'));
    expect(posts.length).toBeGreaterThan(20);
    const without = posts.filter(
      ([, , { parameters = [] }]) => !parameters.some((each) => each.name === 'Idempotency-Key'),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('types every successful response', () => {
    const open = ofPrograms().flatMap(([name, , { responses }]) => {
      const successes = Object.entries(responses).filter(([status]) => /^[123]/.test(status));
      const found = successes.flatMap(([status, { content }]) =>
        Object.values(content ?? {}).flatMap(({ schema }) => untyped(schema, `${name} ${status}`)),
      );
      return successes.length === 0 ? [name] : found;
    });
    const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => untyped(schema, name));
    expect([...open, ...schemas]).toEqual([]);
    const withoutBody = ofPrograms().filter(([, , { responses }]) =>
      Object.entries(responses).some(([status, { content }]) => status.startsWith('2') && content === undefined),
    );
    expect(withoutBody.map(([name]) => name).filter((name) => name.startsWith('get'))).toEqual([]);
  });

  it('has an example of each request and response that matches its schema', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const bodies = operations.flatMap(([name, , { requestBody = {}, responses }]) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      return [['body', requestBody] as const, ...successes].flatMap(([what, { content }]) => {
        const json = content?.['application/json'];
        return json === undefined ? [] : [{ at: `${name} ${what}`, ...json }];
      });
    });
    expect(bodies.length).toBeGreaterThan(140);
    const wrong = bodies.filter(({ schema = {}, example, examples }) => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
      const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
      return shown.some((each) => each === undefined || !ajv.validate(JSON.parse(text) as Schema, each));
    });
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('has every field of the responses that were recorded for the sample company', async () => {
    const recorded = JSON.parse(await readFile('web/sample/answers.json', 'utf8')) as Readonly<Record<string, unknown>>;
    const closed = JSON.parse(JSON.stringify(document), (_, value: Schema | null) =>
      value?.properties === undefined ? value : { ...value, additionalProperties: false },
    ) as Document;
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(closed, 'document');
    const reads = Object.entries(closed.paths).map(([path, { get }]) => ({
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      schema: get?.responses['200']?.content?.['application/json']?.schema,
    }));
    const wrong = Object.entries(recorded).flatMap(([address, answer]) => {
      const read = reads.find(({ pattern }) => pattern.test(address.split('?')[0] ?? ''));
      const text = JSON.stringify(read?.schema ?? {}).replaceAll('"#/', '"document#/');
      const isRight = read !== undefined && ajv.validate(JSON.parse(text) as Schema, answer);
      return isRight ? [] : [`${address}: ${ajv.errorsText()}`];
    });
    expect(Object.keys(recorded).length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('has examples with every field of the schema', () => {
    const answer = document.paths['/api/v1/issues']?.['get']?.responses['200']?.content?.['application/json'];
    expect(answer?.example).toMatchObject({
      data: [
        { issueKey: 'account:6420', kind: 'account', amounts: [{ currency: 'EUR' }], firstSeen: expect.any(String) },
      ],
    });
  });

  it('says of a file of rules how it is written in each of its types', () => {
    const { post } = document.paths['/api/v1/mapping/rules/import'] ?? {};
    const { get } = document.paths['/api/v1/mapping/rules/export'] ?? {};
    for (const { content } of [post?.requestBody, get?.responses['200']].map((body) => body ?? {})) {
      expect(content?.['text/csv']?.schema?.type).toBe('string');
      expect(content?.['application/json']?.schema?.properties).toMatchObject({
        rules: { type: 'array', items: { $ref: '#/components/schemas/RuleRequest' } },
      });
    }
  });

  it('names the types in which batches of journal entries are downloaded', () => {
    const { get } = document.paths['/api/v1/erp-batches/{number}'] ?? {};
    expect(Object.keys(get?.responses['200']?.content ?? {})).toEqual(
      expect.arrayContaining(['text/csv', 'text/plain']),
    );
  });

  it('has no floating-point number', () => {
    expect(JSON.stringify(document)).not.toContain('"type":"number"');
  });

  it('types every error as problem+json', () => {
    const others = ofPrograms().flatMap(([name, , { responses }]) =>
      Object.entries<Operation['responses'][string]>({ default: {}, ...responses })
        .filter(([status]) => !/^[123]/.test(status))
        .filter(([, { content }]) => JSON.stringify(content) !== PROBLEM)
        .map(([status]) => `${name} ${status}`),
    );
    expect(others).toEqual([]);
  });

  it('has the members of a problem about a file of rules, and of others with members of their own', () => {
    const { ProblemResponse, InvalidValueResponse } = document.components.schemas;
    expect(InvalidValueResponse).toMatchObject({
      required: ['detail'],
      properties: { pointer: {}, line: {}, column: { nullable: true }, code: {} },
    });
    const own = ['changes', 'companies', 'errorCount', 'missingEntries', 'openDiscrepancies', 'reexport', 'signInAt'];
    expect(Object.keys(ProblemResponse?.properties ?? {})).toEqual(expect.arrayContaining(own));
  });

  it('names the credentials of each operation', () => {
    const { securitySchemes } = document.components;
    expect(
      Object.entries(securitySchemes).map(([name, { type, scheme, in: where, name: key }]) => [
        name,
        type,
        scheme ?? where,
        key,
      ]),
    ).toEqual([
      ['apiToken', 'http', 'bearer', undefined],
      ['operatorToken', 'http', 'bearer', undefined],
      ['session', 'apiKey', 'cookie', 'connector_session'],
      ['csrfToken', 'apiKey', 'header', 'X-CSRF-Token'],
    ]);
    const credentialsOf = (method: string, path: string) =>
      document.paths[path]?.[method]?.security?.map((each) => Object.keys(each));
    expect(credentialsOf('get', '/api/v1/jobs')).toEqual([['apiToken'], ['session']]);
    expect(credentialsOf('put', '/api/v1/settings')).toEqual([['apiToken'], ['session', 'csrfToken']]);
    expect(credentialsOf('get', '/api/v1/operator/installations')).toEqual([['operatorToken']]);
    expect(credentialsOf('post', '/webhooks/{endpointToken}')).toEqual([]);
  });

  it('lists every value of an enumerated field, checked by the compiler', async () => {
    const unchecked: string[] = [];
    for await (const file of glob('src/connector/**/*.ts')) {
      const text = await readFile(file, 'utf8');
      unchecked.push(...[...text.matchAll(/field\.(?:oneOf|someOf)<string>/g)].map(() => file));
    }
    expect(unchecked).toEqual([]);
  });

  it('has no two classes with the same name', async () => {
    const names: string[] = [];
    for await (const file of glob('src/connector/**/*.ts')) {
      const text = await readFile(file, 'utf8');
      const shapes = text.matchAll(/^(?:export )?class (\w+) extends (?:shape|shapeWith|pageOf)\(/gm);
      names.push(...[...shapes].map(([, name = '']) => name));
    }
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

const PROBLEM = JSON.stringify({
  'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemResponse' } },
});

/** What a page would write; the last lines are mistakes that a compiler has to find. */
const CLIENT = `
import type { components, paths } from './schema.js';
type Answer<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } }
  ? Body
  : never;
export function sums(issues: Answer<'/api/v1/issues'>, certificate: Answer<'/api/v1/certificates/{exportJobId}'>): readonly string[] {
  const amounts = issues.data.flatMap((issue) => issue.amounts.map(({ money }) => money?.amountMinor ?? ''));
  return [...amounts, ...certificate.planned.totals.map(({ debit }) => debit?.currency ?? '')];
}
export const line = (entry: components['schemas']['PlannedEntryResponse']): string | undefined =>
  entry.lines[0]?.account.decision?.by;
export const problem = ({ type, status }: components['schemas']['ProblemResponse']): string => type + status.toFixed(0);
// @ts-expect-error no such field
export const nothing = (job: Answer<'/api/v1/jobs/{id}'>): unknown => job.nothing;
// @ts-expect-error no such route
export type Nothing = paths['/api/v1/nothing'];
`;

describe('a client generated from the document', () => {
  it('compiles, and detects errors', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'api-client-'));
    const run = async (program: string, ...rest: readonly string[]) =>
      promisify(execFile)(resolve('node_modules/.bin', program), rest, { cwd: folder });
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    await writeFile(join(folder, 'client.ts'), CLIENT);
    await run('openapi-typescript', 'openapi.json', '--output', 'schema.d.ts');
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--noUncheckedIndexedAccess'];
    const compiled = await run('tsc', ...options, 'client.ts').then(
      () => '',
      (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
    );
    expect(compiled).toBe('');
  }, 120_000);
});

describe('the problem types', () => {
  it('are listed for programs, each with an address', async () => {
    const answer = await connector.app.inject({ url: '/problems' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const { data } = answer.json<{ data: readonly { name: string; type: string }[] }>();
    const found = await connector.app.inject({ url: '/problems/version-changed' });
    expect(found.json()).toEqual({
      name: 'version-changed',
      type: 'urn:problem:version-changed',
      status: 412,
      title: 'Precondition failed',
      remedy: 'Read it again, repeat the change, and save with the new ETag.',
    });
    expect(data).toContainEqual(found.json());
    expect((await connector.app.inject({ url: '/problems/nothing' })).statusCode).toBe(404);
  });

  it('are a page for browsers', async () => {
    for (const url of ['/problems', '/problems/version-changed']) {
      const { headers, body } = await connector.app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([headers['content-type'], headers.vary]).toEqual(['text/html; charset=utf-8', 'accept']);
      expect(body).toContain('<a href="/problems/version-changed">urn:problem:version-changed</a>');
    }
  });

  it('include every type in the sources', async () => {
    const { data } = (await connector.app.inject({ url: '/problems' })).json<{ data: readonly { name: string }[] }>();
    const named = new Set<string>();
    for await (const file of glob('src/{foundation/http,connector}/**/*.ts')) {
      for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(/status: \d{3},\s+type: '([a-z-]+)'/g)) {
        named.add(name);
      }
    }
    expect(named.size).toBeGreaterThan(15);
    const listed = data.map(({ name }) => name);
    expect([...named].filter((name) => !listed.includes(name))).toEqual([]);
  });
});
