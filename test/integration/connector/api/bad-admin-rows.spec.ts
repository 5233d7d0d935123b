import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { BadRequests } from './bad-requests.js';
import { startedOnce } from '../../../support/started-once.js';

// Every row of bad inputs to the administration
// (docs/rules/bad-inputs.md, D3) is proved by a test: by one that has the row's id
// in its title, or by one that is named here. At the end those rows that no other file is about.

const CONNECTOR = 'test/integration/connector';
const ROWS = Array.from({ length: 38 }, (_, index) => index + 1);

/** Row, file, and the title as it is written there. */
const PROVED_ELSEWHERE: readonly (readonly [number, string, string])[] = [
  [1, 'access/sign-in', 'is the same for an unknown and for a malformed session'],
  [4, 'isolation/isolation-matrix', 'gets the response of an unknown id: %s %s, %s'],
  [
    4,
    'isolation/isolation-matrix',
    'are paged with a cursor of this list only, not of another installation, list or filter: %s %s',
  ],
  [5, 'isolation/isolation-matrix', 'are not overridden by a header that names another installation: %s %s'],
  [6, 'isolation/isolation-matrix', 'a forbidden field of a body'],
  // A rule's target that the ERP has archived: 422, with a pointer.
  [8, 'mapping/mapping-rules', 'with %s is refused'],
  [8, 'api/admin-api', 'with %s are a bad request that names the error'],
  [15, 'operations/alert-settings', '%s is neither accepted nor called'],
  [15, 'operations/alert-settings', 'respond %i %s to %j and stay unchanged'],
  [22, 'api/reconciliation-api', 'can be taken once, and closes the discrepancy'],
  // To export once more what is posted: 409.
  [23, 'review/previews', 'of a posted job with its own version shows no difference'],
  // Their credentials are gone, so it is 401 instead of 409.
  [24, 'installations/life-cycle', 'notifies the platform, ends all requests, and destroys the key'],
  [25, 'webhooks/notifications', 'of an accepted message queues it again'],
  [38, 'mapping/mapping-rules', 'by fifty people at once is saved once'],
  [38, 'api/admin-api', 'edited fifty times at once are saved once'],
];

/** Rows that stand in the titles of the connector's tests. */
function titledRows(): ReadonlySet<number> {
  const files = readdirSync(CONNECTOR, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(CONNECTOR, name), 'utf8'));
  const titles = texts.flatMap((text) =>
    [...text.matchAll(/\[(D3\.\d+(?:, D3\.\d+)*)\]'/g)].map(([, rows = '']) => rows),
  );
  return new Set(titles.flatMap((rows) => [...rows.matchAll(/D3\.(\d+)/g)].map(([, row]) => Number(row))));
}

describe('the table of bad inputs', () => {
  it('has a test for every row', () => {
    const proved = new Set([...titledRows(), ...PROVED_ELSEWHERE.map(([row]) => row)]);
    expect(ROWS.filter((row) => !proved.has(row))).toEqual([]);
  });

  it.each(PROVED_ELSEWHERE)('D3.%i is in %s: %s', (_, file, title) => {
    expect(readFileSync(join(CONNECTOR, `${file}.spec.ts`), 'utf8')).toContain(`'${title}'`);
  });
});

interface OpenApi {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>;
}

const requests = startedOnce(() => BadRequests.start());

/** Names of everything that may be sent: parameters, and properties of bodies and of what these refer to. */
async function sentNames(): Promise<readonly string[]> {
  const { text } = await requests.send('GET', '/api/openapi.json');
  const known = new Map<string, readonly string[]>();
  // Amounts that entries and items are searched by are sent nowhere else.
  const isSearched = (path: string, name: string) =>
    /\/(entries|entries\/totals|items)$/.test(path) && ['amount', 'minAmount', 'maxAmount'].includes(name);
  const names = requests.routes.flatMap(({ path, parameters }) =>
    parameters.map(({ name }) => name).filter((name) => !isSearched(path, name)),
  );
  const { components, paths } = JSON.parse(text) as OpenApi;
  const follow = (part: unknown): void => {
    for (const [, schema = ''] of JSON.stringify(part ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (!known.has(schema)) {
        const { properties = {} } = components.schemas[schema] ?? {};
        known.set(schema, Object.keys(properties));
        follow(properties);
      }
    }
  };
  for (const methods of Object.values(paths)) {
    Object.values(methods).forEach(({ requestBody }) => {
      follow(requestBody);
    });
  }
  return [...names, ...[...known.values()].flat()];
}

it('no request can set a header, or send an amount [D3.16, D3.20]', async () => {
  const names = await sentNames();
  expect(names).toEqual(expect.arrayContaining(['limit', 'accounts', 'alertAfterDays', 'target']));
  expect(names.filter((name) => /header|amount|price|percent|rate$/i.test(name))).toEqual([]);
});

describe('a filter with a costly regular expression [D3.18]', () => {
  const LONGEST = 100;
  const HOSTILE = ['(a+)+$', '(x|x)*y', '%_', '\\', '.*', '[[', 'a'].map((piece) =>
    piece.repeat(LONGEST).slice(0, LONGEST),
  );
  const pathOf = (search: string) => `/api/v1/mapping/rules?search=${encodeURIComponent(search)}`;

  /** Milliseconds of the fastest of some answers: what else the machine does is not in it. */
  async function fastest(path: string): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const begun = performance.now();
      expect((await requests.send('GET', path)).status).toBe(200);
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  }

  beforeAll(async () => {
    await requests.admin.query('BEGIN');
    await requests.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{}', 'test', now())`,
      [requests.mine.id],
    );
    await requests.admin.query(
      `INSERT INTO mapping_rule (installation_id, id, subject, source, target, from_version, identity)
       SELECT $1, number, 'account', repeat('a', 200) || number, repeat('x', 200), 1, sha256(number::text::bytea)
       FROM generate_series(1, 1000) number`,
      [requests.mine.id],
    );
    await requests.admin.query('COMMIT');
  });

  it.each(HOSTILE)('takes no longer than a harmless one: %s', async (search) => {
    const harmless = await fastest(pathOf('6071'));
    expect(await fastest(pathOf(search))).toBeLessThan(harmless + 50);
  });

  it('has at most a hundred characters', async () => {
    expect((await requests.send('GET', pathOf('a'.repeat(LONGEST + 1)))).status).toBe(400);
    expect((await requests.send('GET', pathOf('a'.repeat(50_000)))).status).toBe(414);
  });
});
