import { describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { csrfOf, signIn, Visitor } from '../access/visitor.js';
import { at, companyUrn, ConnectHarness, type Reply } from '../installations/connect-harness.js';

// Every way by which a caller could get a role, tried by every kind of caller: the answer, and what then differs in the roles of all
// members and tokens of the installation. Nothing after the status: nothing differs.

const ADA = { sub: 'ada', username: 'Ada Berg' };
const ME = { sub: 'me', username: 'Me Lund' };
const CALLERS = [
  'stranger',
  'viewer',
  'bookkeeper',
  'admin',
  'removed member',
  'ended session of an admin',
  'admin of another installation',
  'operator',
  'token of a viewer',
  'token of a bookkeeper',
  'token of an admin',
] as const;
type CallerKind = (typeof CALLERS)[number];
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const harness = startedOnce(() => ConnectHarness.start());

/** An installation with Ada as its admin, Vic as a viewer and Rem, who was removed; and the caller as which it is tried. */
interface Scene {
  readonly id: string;
  readonly company: string;
  readonly ada: Visitor;
  readonly memberIds: Readonly<Record<string, string>>;
  /** As the caller, with what it has. */
  answer(method: Method, path: string, body?: object): Promise<Reply>;
  /** As `answer`. @returns the status */
  call(method: Method, path: string, body?: object): Promise<number>;
}

interface Way {
  /** What is done to the installation before, and counts for nothing. @returns what the try needs of it */
  readonly before?: (scene: Scene) => Promise<string>;
  /** A request of the caller, or what a person of that kind does in a browser. @returns the status */
  readonly tries: (scene: Scene, needed: string) => Promise<number>;
}

const api = async (by: Visitor, method: Method, path: string, body?: object) =>
  (await by.call(method, path, { headers: await csrfOf(by), ...(body !== undefined && { body }) })).status;

async function memberIdsOf(id: string): Promise<Readonly<Record<string, string>>> {
  const { rows } = await harness.admin.query<{ subject: string; id: string }>(
    'SELECT subject, id FROM member WHERE installation_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.subject, row.id]));
}

async function newScene(kind: CallerKind): Promise<Scene> {
  harness.platform.restore();
  const company = companyUrn(harness.platform.addCompany().id);
  const id = await harness.connect(company, ADA);
  const ada = await signIn(harness, company, ADA);
  await harness.admin.query(
    `INSERT INTO member (installation_id, id, subject, role, created_at, signed_in_at, removed_at)
     VALUES ($1, gen_random_uuid(), 'vic', 'viewer', now(), now(), NULL), ($1, gen_random_uuid(), 'rem', 'admin', now(), now(), now())`,
    [id],
  );
  const bearer = await bearerOf(kind, id);
  const me = bearer === undefined ? await visitorOf(kind, id, company, ada) : new Visitor(harness.connector.app);
  const csrf = (await csrfOf(me))['x-csrf-token'] ?? '';
  const answer: Scene['answer'] = (method, path, body) =>
    bearer === undefined
      ? me.call(method, path, { headers: { 'x-csrf-token': csrf }, ...(body !== undefined && { body }) })
      : harness.call(method, path, { token: bearer, ...(body !== undefined && { body }) });
  return {
    ...{ id, company, ada, memberIds: await memberIdsOf(id) },
    answer,
    call: async (method, path, body) => (await answer(method, path, body)).status,
  };
}

async function bearerOf(kind: CallerKind, id: string): Promise<string | undefined> {
  switch (kind) {
    case 'operator':
      return OPERATOR_TOKEN;
    case 'token of a viewer':
      return harness.token(id, 'viewer');
    case 'token of a bookkeeper':
      return harness.token(id, 'bookkeeper');
    case 'token of an admin':
      return harness.token(id, 'admin');
    default:
      return undefined;
  }
}

async function visitorOf(kind: CallerKind, id: string, company: string, ada: Visitor): Promise<Visitor> {
  if (kind === 'stranger') {
    return new Visitor(harness.connector.app);
  }
  if (kind === 'admin of another installation') {
    const other = companyUrn(harness.platform.addCompany().id);
    await harness.connect(other, ME);
    return signIn(harness, other, ME);
  }
  const me = await signIn(harness, company, ME);
  const path = `/api/v1/members/${(await memberIdsOf(id))['me'] ?? ''}`;
  if (kind === 'removed member') {
    await api(ada, 'DELETE', path);
  } else if (kind !== 'viewer') {
    await api(ada, 'PUT', path, { role: kind === 'bookkeeper' ? 'bookkeeper' : 'admin' });
  }
  if (kind === 'ended session of an admin') {
    await api(await signIn(harness, company, ME), 'DELETE', '/api/v1/sessions');
  }
  return me;
}

/** By member and token, and whether a code for a first admin waits. */
async function rolesOf({ id }: Scene): Promise<readonly string[]> {
  const { rows } = await harness.admin.query<{ line: string }>(
    `SELECT subject || '=' || CASE WHEN removed_at IS NULL THEN role ELSE 'removed' END AS line FROM member WHERE installation_id = $1
     UNION ALL SELECT 'token ' || label || '=' || role FROM api_token WHERE installation_id = $1
     UNION ALL SELECT 'code' FROM first_admin_code WHERE installation_id = $1 ORDER BY 1`,
    [id],
  );
  return rows.map(({ line }) => line);
}

async function tried({ before: prepare, tries }: Way, scene: Scene): Promise<string> {
  const needed = (await prepare?.(scene)) ?? '';
  const before = await rolesOf(scene);
  const status = await tries(scene, needed);
  const after = await rolesOf(scene);
  const gone = before.filter((line) => !after.includes(line) && !after.some((each) => keyOf(each) === keyOf(line)));
  const changes = [...after.filter((line) => !before.includes(line)), ...gone.map((line) => `no ${keyOf(line)}`)];
  return [status.toString(), ...changes].join(' ');
}

const keyOf = (line: string) => line.split('=')[0] ?? '';

async function consent({ company, id }: Scene): Promise<number> {
  return (await harness.connect(company, ME)) === id ? 200 : 409;
}

async function comeBack({ company }: Scene): Promise<number> {
  return signIn(harness, company, ME).then(
    () => 302,
    (error: unknown) => Number(/not signed in: (\d+)/.exec(String(error))?.[1]),
  );
}

async function withoutAdmin({ id }: Scene): Promise<string> {
  await harness.admin.query(`DELETE FROM member WHERE installation_id = $1 AND subject = 'ada'`, [id]);
  await harness.admin.query(`UPDATE member SET role = 'viewer' WHERE installation_id = $1`, [id]);
  return '';
}

/** @returns the code */
async function withCode(scene: Scene): Promise<string> {
  await withoutAdmin(scene);
  const path = `/api/v1/operator/installations/${scene.id}/first-admin-codes`;
  return String(at((await harness.call('POST', path, { token: OPERATOR_TOKEN })).json, 'code'));
}

async function withOldCode(scene: Scene): Promise<string> {
  const code = await withCode(scene);
  await harness.admin.query(`UPDATE member SET role = 'admin' WHERE id = $1`, [scene.memberIds['vic']]);
  return code;
}

const memberPath = (scene: Scene, subject: string) => `/api/v1/members/${scene.memberIds[subject] ?? scene.id}`;

/** Ada does this to the caller, where it is a member. */
const afterwards =
  (...roles: readonly ('viewer' | 'admin' | 'removed')[]) =>
  async (scene: Scene): Promise<string> => {
    const path = memberPath(scene, 'me');
    for (const role of roles) {
      await (role === 'removed' ? api(scene.ada, 'DELETE', path) : api(scene.ada, 'PUT', path, { role }));
    }
    return '';
  };

/** The caller's own token, if it may make one, and what Ada does to the caller then. @returns the token */
const withToken =
  (role: 'viewer' | 'removed') =>
  async (scene: Scene): Promise<string> => {
    const made = await scene.answer('POST', '/api/v1/api-tokens', ADMIN_TOKEN);
    await afterwards(role)(scene);
    return String(at(made.json, 'token'));
  };
const useToken = async (_: Scene, token: string) =>
  (await harness.call('POST', '/api/v1/api-tokens', { token, body: { ...ADMIN_TOKEN, label: 'second' } })).status;

const ADMIN_TOKEN = { role: 'admin', label: 'made', days: 1 };
const operatorPath = ({ id }: Scene, what: string) => `/api/v1/operator/installations/${id}/${what}`;
const makeToken = (scene: Scene) => scene.call('POST', '/api/v1/api-tokens', ADMIN_TOKEN);
const makeCode = (scene: Scene) => scene.call('POST', operatorPath(scene, 'first-admin-codes'));
const enterCode = (scene: Scene, code: string) => scene.call('PUT', '/api/v1/me/first-admin', { code });
const newKey = ({ company }: Scene) => ({ apiKey: harness.platform.addApiKey(company, 'basic') });

const WAYS: Readonly<Record<string, Way>> = {
  'consents at /connect': { tries: consent },
  'consents at /connect, where no admin is left': { before: withoutAdmin, tries: consent },
  'signs in': { tries: comeBack },
  'signs in, where no admin is left': { before: withoutAdmin, tries: comeBack },
  'makes itself an admin': { tries: (scene) => scene.call('PUT', memberPath(scene, 'me'), { role: 'admin' }) },
  'makes another an admin': { tries: (scene) => scene.call('PUT', memberPath(scene, 'vic'), { role: 'admin' }) },
  'invites who was removed': { tries: (scene) => scene.call('PUT', memberPath(scene, 'rem'), { role: 'bookkeeper' }) },
  'removes the admin': { tries: (scene) => scene.call('DELETE', memberPath(scene, 'ada')) },
  'makes a token': { tries: makeToken },
  'makes a token, once it was made a viewer': { before: afterwards('viewer'), tries: makeToken },
  'makes a token, once it was removed': { before: afterwards('removed'), tries: makeToken },
  'makes a token, once it was removed and invited': { before: afterwards('removed', 'admin'), tries: makeToken },
  'uses its token, once it was made a viewer': { before: withToken('viewer'), tries: useToken },
  'uses its token, once it was removed': { before: withToken('removed'), tries: useToken },
  'makes a token as the operator': {
    tries: (scene) => scene.call('POST', operatorPath(scene, 'api-tokens'), ADMIN_TOKEN),
  },
  'makes a code as the operator': { tries: makeCode },
  'makes a code as the operator, where no admin is left': { before: withoutAdmin, tries: makeCode },
  'enters a code for the first admin': { before: withCode, tries: enterCode },
  'enters a code once there is an admin': { before: withOldCode, tries: enterCode },
  'replaces the credential by an API key': {
    tries: (scene) => scene.call('PUT', '/api/v1/connection/api-key', newKey(scene)),
  },
  'connects by API key as the operator': {
    tries: (scene) => scene.call('POST', '/api/v1/operator/installations', newKey(scene)),
  },
};

/** In the order of the callers. */
const EXPECTED: Readonly<Record<string, string>> = {
  'consents at /connect':
    '200 me=viewer | 200 | 200 | 200 | 200 | 200 | 200 me=viewer | 200 me=viewer | 200 me=viewer | 200 me=viewer | 200 me=viewer',
  'consents at /connect, where no admin is left':
    '200 me=admin | 200 me=admin | 200 me=admin | 200 me=admin | 200 | 200 me=admin | 200 me=admin | 200 me=admin | 200 me=admin | 200 me=admin | 200 me=admin',
  'signs in':
    '302 me=viewer | 302 | 302 | 302 | 403 | 302 | 302 me=viewer | 302 me=viewer | 302 me=viewer | 302 me=viewer | 302 me=viewer',
  'signs in, where no admin is left':
    '302 me=viewer | 302 | 302 | 302 | 403 | 302 | 302 me=viewer | 302 me=viewer | 302 me=viewer | 302 me=viewer | 302 me=viewer',
  'makes itself an admin': '401 | 403 | 403 | 204 | 401 | 401 | 404 | 401 | 403 | 403 | 404',
  'makes another an admin': '401 | 403 | 403 | 204 vic=admin | 401 | 401 | 404 | 401 | 403 | 403 | 204 vic=admin',
  'invites who was removed':
    '401 | 403 | 403 | 204 rem=bookkeeper | 401 | 401 | 404 | 401 | 403 | 403 | 204 rem=bookkeeper',
  'removes the admin': '401 | 403 | 403 | 204 ada=removed | 401 | 401 | 404 | 401 | 403 | 403 | 409',
  'makes a token': '401 | 403 | 403 | 201 token made=admin | 401 | 401 | 201 | 401 | 403 | 403 | 201 token made=admin',
  'makes a token, once it was made a viewer':
    '401 | 403 | 403 | 403 | 401 | 401 | 201 | 401 | 403 | 403 | 201 token made=admin',
  'makes a token, once it was removed':
    '401 | 401 | 401 | 401 | 401 | 401 | 201 | 401 | 403 | 403 | 201 token made=admin',
  'makes a token, once it was removed and invited':
    '401 | 401 | 401 | 401 | 401 | 401 | 201 | 401 | 403 | 403 | 201 token made=admin',
  'uses its token, once it was made a viewer':
    '401 | 401 | 401 | 403 | 401 | 401 | 201 | 401 | 401 | 401 | 201 token second=admin',
  'uses its token, once it was removed':
    '401 | 401 | 401 | 401 | 401 | 401 | 201 | 401 | 401 | 401 | 201 token second=admin',
  'makes a token as the operator': '401 | 401 | 401 | 401 | 401 | 401 | 401 | 201 token made=admin | 401 | 401 | 401',
  'makes a code as the operator': '401 | 401 | 401 | 401 | 401 | 401 | 401 | 409 | 401 | 401 | 401',
  'makes a code as the operator, where no admin is left':
    '401 | 401 | 401 | 401 | 401 | 401 | 401 | 201 code | 401 | 401 | 401',
  'enters a code for the first admin':
    '401 | 204 me=admin no code | 204 me=admin no code | 204 me=admin no code | 401 | 401 | 409 | 401 | 403 | 403 | 403',
  'enters a code once there is an admin': '401 | 409 | 409 | 409 | 401 | 401 | 409 | 401 | 403 | 403 | 403',
  'replaces the credential by an API key': '401 | 403 | 403 | 200 | 401 | 401 | 409 | 401 | 403 | 403 | 200',
  'connects by API key as the operator': '401 | 401 | 401 | 401 | 401 | 401 | 401 | 201 | 401 | 401 | 401',
};

describe('the roles of all members, when a member', () => {
  it.each(Object.entries(WAYS))('%s', async (name, way) => {
    const expected = EXPECTED[name]?.split(' | ') ?? [];
    for (const [index, kind] of CALLERS.entries()) {
      expect([kind, await tried(way, await newScene(kind))]).toEqual([kind, expected[index]]);
    }
  });
});

it('every change was tried by every role, in at least 2,200 requests', () => {
  expect(Object.keys(EXPECTED)).toEqual(Object.keys(WAYS));
  expect(harness.connector.finished()).toBeGreaterThanOrEqual(2_200);
});
