import { beforeAll, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { register } from 'prom-client';
import { isUuid } from '../../../../src/kernel/ids.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { ADMIN_ROUTES, type Role } from '../api/admin-routes.js';
import { ReviewHarness, type ReviewTenant } from '../review/review-harness.js';
import { EXPORT_SAMPLES } from './export-samples.js';
import { seedTenant } from './seed-tenant.js';
import type { SeededIds } from './seeded-rows.js';
import { fingerprintOf } from './fingerprint.js';
import { runningRoutes } from './running-routes.js';
import type { RouteSample } from './route-sample.js';
import { SETUP_SAMPLES } from './setup-samples.js';
import { startedOnce } from '../../../support/started-once.js';

// Every route with every id of an installation that can stand in it: the caller's own, another installation's, a missing one and
// a malformed one; asked by every role, by the other installation and without a credential (S1, S2, S11).

const SAMPLES: Readonly<Record<string, RouteSample>> = { ...EXPORT_SAMPLES, ...SETUP_SAMPLES };
const ROLES = ['viewer', 'bookkeeper', 'admin'] as const;
const RANK: Readonly<Record<Role, number>> = { viewer: 1, bookkeeper: 2, admin: 3 };

/** Lists with a second page here. */
const PAGED: ReadonlySet<string> = new Set([
  '/api/v1/alerts',
  '/api/v1/certificates',
  '/api/v1/discrepancies',
  '/api/v1/issues',
  '/api/v1/jobs',
  '/api/v1/mapping/rules',
  '/api/v1/mapping/rules/findings',
  '/api/v1/mapping/versions',
  '/api/v1/members',
  '/api/v1/notifications',
  '/api/v1/reconciliation',
  '/api/v1/reference-data/runs',
  '/api/v1/reference-data/vendor-matches',
  '/api/v1/in-doubt-postings',
]);

/** A filter of its own for lists that have one. */
const FILTERS: Readonly<Record<string, string>> = {
  '/api/v1/discrepancies': 'state=accepted',
  '/api/v1/issues': 'state=closed',
  '/api/v1/mapping/rules': 'search=6110',
  '/api/v1/notifications': 'state=taken',
  '/api/v1/reference-data/runs': 'kind=accounts',
};

/** Requests of the second attack (docs/security.md). */
const counted = { ids: 0, unknownIds: 0, cursors: 0 };

interface Tenant {
  readonly reviewTenant: ReviewTenant;
  readonly seededIds: SeededIds;
  /** What must never be in an answer to another installation. */
  readonly marks: readonly string[];
}

const harness = startedOnce(() => ReviewHarness.start());
let mine: Tenant;
let other: Tenant;

beforeAll(async () => {
  mine = await newTenant(2);
  other = await newTenant(2);
});

/** @param pieces of everything; a list of two has a second page */
async function newTenant(pieces: 1 | 2 = 1): Promise<Tenant> {
  const office = await harness.addTenant();
  const second = pieces === 2 ? [await seedTenant(harness, office)] : [];
  const things = await seedTenant(harness, office);
  const ids = [things, ...second].flatMap((each) => Object.values(each).filter(isUuid));
  return {
    reviewTenant: office,
    seededIds: things,
    marks: [office.installationId, office.companyId, ...ids],
  };
}

/** What the metric of refused ids says. */
async function unknownIds(): Promise<number> {
  const metric = await register.getSingleMetric('connector_unknown_ids_total')?.get();
  return metric?.values[0]?.value ?? 0;
}

const problemOf = (text: string) => String(Reflect.get(Object(JSON.parse(text)), 'type'));

/** Names of what a body has several of. */
const LISTS = new Set(['deletes']);

interface RouteRequest {
  readonly token: string | undefined;
  /** Whose newest mapping version is named where one has to be. */
  readonly of: Tenant;
  /** By their places. */
  readonly ids: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

interface RouteResponse {
  readonly status: number;
  readonly type: string;
  /** Without what differs with every request. */
  readonly text: string;
}

type Route = (typeof ADMIN_ROUTES)[number];

const sampleOf = ([method, path]: Route): RouteSample => SAMPLES[`${method} ${path}`] ?? { own: 0 };

async function sendRequest(
  route: Route,
  { token, of, ids, headers = {}, extra = {} }: RouteRequest,
): Promise<RouteResponse> {
  const { ifMatch } = sampleOf(route);
  const answer = await harness.app.inject({
    method: route[0],
    ...addressed(route, ids, extra),
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(ifMatch && { 'if-match': `"${of.seededIds.mappingVersion}"` }),
    },
  });
  // First the request's own id: a short number may stand in it by chance.
  const text = answer.body.replaceAll(String(answer.headers['x-request-id']), '<request>');
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    text: Object.values(ids).reduce((said, id) => said.replaceAll(id, '<id>'), text),
  };
}

/** Puts ids into their places. */
function addressed(route: Route, ids: RouteRequest['ids'], extra: Readonly<Record<string, unknown>> = {}) {
  const { params = {}, query, body } = sampleOf(route);
  const url = new URL(route[1], 'http://x');
  url.search = query ?? '';
  url.pathname = Object.entries(params).reduce(
    (path, [name, value]) => path.replace(`%7B${name}%7D`, value),
    url.pathname,
  );
  const payload: Record<string, unknown> = { ...body, ...extra };
  for (const [position, id] of Object.entries(ids)) {
    const [place, name = ''] = position.split('.');
    if (place === 'path') {
      url.pathname = url.pathname.replace(`%7B${name}%7D`, encodeURIComponent(id));
    } else if (place === 'query') {
      url.searchParams.set(name, id);
    } else {
      payload[name] = LISTS.has(name) ? [id] : id;
    }
  }
  return { url: url.pathname + url.search, ...(body !== undefined && { payload }) };
}

/** The ids of an installation in all places of a route's sample. */
function idsOf(route: Route, { seededIds }: Tenant): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(sampleOf(route).ids ?? {}).map(([place, { of }]) => [place, seededIds[of]]));
}

/** Pages for people, the documentation itself, and the refusal of other methods at the webhook door. */
const UNDOCUMENTED =
  /^(GET \/(api\/(docs|openapi)|settings|oauth|(style\.css|icon\.svg)$|(app|operator)\b|$)|[A-Z]+ \/webhooks\/\{\}$)/;

/** Without the names of parameters, which two routes at one place may give differently. */
const unnamed = (route: string) => route.replace(/\{\w+\}/g, '{}');

describe('the table of samples', () => {
  it('has every route that the program serves, documented or not', async () => {
    const running = runningRoutes(harness.app);
    const { paths } = (await harness.app.inject({ method: 'GET', url: '/api/openapi.json' })).json<{
      paths: Readonly<Record<string, object>>;
    }>();
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => unnamed(`${method.toUpperCase()} ${path}`)),
    );
    const undocumented = running.filter((route) => !documented.includes(route));
    expect(documented.filter((route) => !running.includes(route))).toEqual([]);
    expect(undocumented.filter((route) => !UNDOCUMENTED.test(route))).toEqual([]);
    const ofInstallations = running.filter((route) => / \/api\/v1\/(?!operator\/)/.test(route));
    expect(Object.keys(SAMPLES).map(unnamed).sort()).toEqual([...ofInstallations].sort());
    expect(ADMIN_ROUTES.map(([method, path]) => unnamed(`${method} ${path}`)).sort()).toEqual(
      [...ofInstallations].sort(),
    );
  });

  it('states for every part of a path whether it is an id', () => {
    for (const route of ADMIN_ROUTES) {
      const named = [...route[1].matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const { ids = {}, params = {} } = sampleOf(route);
      const said = [
        ...Object.keys(ids).filter((place) => place.startsWith('path.')),
        ...Object.keys(params).map((name) => `path.${name}`),
      ];
      expect([route[1], said.sort()]).toEqual([route[1], named.map((name) => `path.${name ?? ''}`).sort()]);
    }
  });
});

describe('an id of another installation', () => {
  const attacks = ADMIN_ROUTES.flatMap((route) =>
    Object.entries(sampleOf(route).ids ?? {}).map(
      ([place, position]) => [route[0], route[1], place, position, route] as const,
    ),
  );
  let before: Readonly<Record<string, string>>;
  let counterBefore: number;
  beforeAll(async () => {
    counterBefore = await unknownIds();
    before = await fingerprintOf(harness.admin, [mine.reviewTenant.installationId, other.reviewTenant.installationId]);
  });

  it.each(attacks)('gets the response of an unknown id: %s %s, %s', async (_, __, place, position, route) => {
    const [, , needed] = route;
    for (const [caller, victim] of [
      [mine, other],
      [other, mine],
    ] as const) {
      const own = idsOf(route, caller);
      for (const role of ROLES) {
        const token = caller.reviewTenant.tokens[role];
        const put = async (id: string) => {
          const answer = await sendRequest(route, { token, of: caller, ids: { ...own, [place]: id } });
          counted.ids += 1;
          counted.unknownIds += answer.status === 404 ? 1 : 0;
          return answer;
        };
        const foreign = await put(victim.seededIds[position.of]);
        const missing = await put(position.missing);
        const malformed = await put(position.malformed);
        const allowed = RANK[role] >= RANK[needed];
        expect([role, missing.status]).toEqual([role, allowed ? position.missingStatus : 403]);
        expect([role, malformed.status]).toEqual([role, allowed ? position.malformedStatus : 403]);
        expect([role, foreign]).toEqual([role, missing]);
      }
    }
    for (const id of [
      mine.seededIds[position.of],
      other.seededIds[position.of],
      position.missing,
      position.malformed,
    ]) {
      const anonymous = await sendRequest(route, {
        token: undefined,
        of: mine,
        ids: { ...idsOf(route, mine), [place]: id },
      });
      counted.ids += 1;
      expect([anonymous.status, anonymous.type]).toEqual([401, 'application/problem+json']);
    }
  });

  it('is counted each time, over all routes, positions and roles', async () => {
    expect(attacks.length).toBeGreaterThanOrEqual(35);
    // For both installations and three roles each: a foreign id, a missing one and a malformed one; and four without a credential.
    expect(counted.ids).toBe(attacks.length * (2 * 3 * 3 + 4));
    while ((await unknownIds()) < counterBefore + counted.unknownIds) {
      await nextTurn();
    }
    expect(await unknownIds()).toBe(counterBefore + counted.unknownIds);
  });

  it('has changed nothing in either installation', async () => {
    expect(
      await fingerprintOf(harness.admin, [mine.reviewTenant.installationId, other.reviewTenant.installationId]),
    ).toEqual(before);
  });

  it('is not an installation for the operator either', async () => {
    const made = (id: string) =>
      harness.app.inject({
        method: 'POST',
        url: `/api/v1/operator/installations/${id}/api-tokens`,
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
        payload: { role: 'viewer', label: 'test', days: 1 },
      });
    for (const id of ['e0000000-0000-4000-8000-000000000000', 'nonsense', other.reviewTenant.companyId]) {
      expect((await made(id)).statusCode).toBe(404);
    }
  });
});

describe('the own ids of a caller', () => {
  it.each(ADMIN_ROUTES)('are answered by role, and show nothing of others: %s %s', async (...route) => {
    const [method, , needed] = route;
    for (const role of ROLES) {
      const allowed = RANK[role] >= RANK[needed];
      const tenant = method === 'GET' || !allowed ? mine : await newTenant();
      const token = tenant.reviewTenant.tokens[role];
      const { status, text } = await sendRequest(route, { token, of: tenant, ids: idsOf(route, tenant) });
      expect([role, status, status < 400 ? '' : text]).toEqual([
        role,
        allowed ? sampleOf(route).own : 403,
        status < 400 ? '' : expect.any(String),
      ]);
      expect(other.marks.filter((mark) => text.includes(mark))).toEqual([]);
    }
  });

  it.each(ADMIN_ROUTES.filter(([method]) => method === 'GET'))(
    'are not overridden by a header that names another installation: %s %s',
    async (...route) => {
      const asked = { token: mine.reviewTenant.tokens.admin, of: mine, ids: idsOf(route, mine) };
      const headers = {
        'x-tenant-id': other.reviewTenant.installationId,
        'x-installation-id': other.reviewTenant.installationId,
      };
      const [plain, named] = [await sendRequest(route, asked), await sendRequest(route, { ...asked, headers })];
      const timeless = ({ text, ...answer }: RouteResponse) => ({
        ...answer,
        // These hold the download before.
        text: text.replace(/"download":.*/s, '').replace(/"(\w+At|now|lastEventId)":"[^"]+"/g, ''),
      });
      expect(timeless(named)).toEqual(timeless(plain));
    },
  );

  it.each(ADMIN_ROUTES.filter(([method]) => method === 'GET'))(
    'are paged with a cursor of this list only, not of another installation, list or filter: %s %s',
    async (...route) => {
      const page = async (tenant: Tenant, query: string, of: Route = route) => {
        const { url } = addressed(of, idsOf(of, tenant));
        const answer = await harness.app.inject({
          method: 'GET',
          url: `${url}${url.includes('?') ? '&' : '?'}${query}`,
          headers: { authorization: `Bearer ${tenant.reviewTenant.tokens.admin}` },
        });
        counted.cursors += 1;
        return { status: answer.statusCode, text: answer.body };
      };
      const cursorOf = async (tenant: Tenant) =>
        /"nextCursor":"([^"]+)"/.exec((await page(tenant, 'limit=1')).text)?.[1] ?? '';
      const [own, foreign] = [await cursorOf(mine), await cursorOf(other)];
      expect([route[1], own !== '']).toEqual([route[1], PAGED.has(route[1])]);
      if (own !== '') {
        const { status, text } = await page(mine, `limit=100&after=${own}`);
        expect([status, other.marks.filter((mark) => text.includes(mark))]).toEqual([200, []]);
        const [unbound] = own.split('.');
        const filter = FILTERS[route[1]];
        const refused = [
          await page(mine, `limit=100&after=${foreign}`),
          await page(mine, `limit=100&after=${unbound ?? ''}`),
          ...(filter === undefined ? [] : [await page(mine, `limit=100&${filter}&after=${own}`)]),
        ];
        for (const list of ADMIN_ROUTES.filter(([, path]) => PAGED.has(path) && path !== route[1])) {
          if (list[0] === 'GET') {
            refused.push(await page(mine, `after=${own}`, list));
          }
        }
        const types = refused.map(({ status: refusal, text: said }) => `${refusal.toString()} ${problemOf(said)}`);
        expect(types).toEqual(refused.map(() => '400 urn:problem:invalid-cursor'));
      }
    },
  );
});

it('this many requests were made with cursors of other lists', () => {
  expect(counted.cursors).toBeGreaterThanOrEqual(300);
});

describe('a forbidden field of a body', () => {
  const FORBIDDEN = ['tenantId', 'installationId', 'id', 'role', 'status', 'postedAt', 'createdBy'] as const;
  const written = ADMIN_ROUTES.filter((route) => sampleOf(route).body !== undefined && !route[1].endsWith('/import'));

  it.each(written)('is refused: %s %s', async (...route) => {
    for (const name of FORBIDDEN) {
      if (!(name in (sampleOf(route).body ?? {}))) {
        const extra = { [name]: other.reviewTenant.installationId };
        const { status } = await sendRequest(route, {
          token: mine.reviewTenant.tokens.admin,
          of: mine,
          ids: idsOf(route, mine),
          extra,
        });
        expect([name, status]).toEqual([name, 400]);
      }
    }
  });
});
