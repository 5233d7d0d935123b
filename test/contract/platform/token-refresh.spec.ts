import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CredentialRepository } from '../../../src/connector/installations/credentials/credential.repository.js';
import { DataKeyRepository } from '../../../src/connector/installations/credentials/data-key.repository.js';
import { InstallationRepository } from '../../../src/connector/installations/installation.repository.js';
import { KeyRingService } from '../../../src/connector/installations/credentials/key-ring.service.js';
import { PlatformAccess } from '../../../src/connector/installations/credentials/platform-access.js';
import { AuthorizationLost, InvalidPlatformResponse } from '../../../src/connector/platform/platform-error.js';
import { PlatformHttp } from '../../../src/connector/platform/platform-http.js';
import { PlatformOAuth } from '../../../src/connector/platform/platform-oauth.js';
import { Secret } from '../../../src/foundation/config/secret.js';
import { sql } from '../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../src/foundation/database/tenant-database.js';
import { HttpClient, NoResponse } from '../../../src/foundation/http/client/http-client.js';
import { Retryable } from '../../../src/kernel/faults.js';
import { toCompanyId, toInstallationId, type InstallationId } from '../../../src/kernel/ids.js';
import {
  after,
  respondingWith,
  MisbehavingServer,
  reset,
  truncated,
  type Behavior,
} from '../../support/servers/misbehaving-server.js';
import { createTestDatabase, transactionsOf, type TestDatabase } from '../../support/test-database.js';
import { ImpatientClock } from './impatient-clock.js';
import { UnlimitedBudget } from '../../support/platform/unlimited-budget.js';

// A refresh token works once, and using a dead one costs the customer's connection (H3, H4, I19).

const REPLICAS = 3;
const keys = new KeyRingService({ primary: 'test', keys: new Map([['test', Buffer.alloc(32, 7)]]) });
const dataKeys = new DataKeyRepository(keys);
const credentials = new CredentialRepository(dataKeys);
const installations = new InstallationRepository();

let server: TestDatabase;
let authorizationServer: MisbehavingServer;
let databases: readonly TenantDatabase[];
let http: HttpClient;
let installationId: InstallationId;

beforeAll(async () => {
  server = await createTestDatabase();
  authorizationServer = await MisbehavingServer.start();
  databases = await Promise.all(
    Array.from({ length: REPLICAS }, (_, index) =>
      TenantDatabase.connect({
        ...transactionsOf(server.url),
        applicationName: `replica-${index.toString()}`,
        poolSize: 4,
      }),
    ),
  );
});
beforeEach(async () => {
  http = new HttpClient({
    baseUrl: authorizationServer.url,
    timeoutMs: 5_000,
    maxResponseBytes: 65_536,
    maxConnections: 10,
  });
  installationId = await storeExpired();
});
afterEach(() => {
  http.close();
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await authorizationServer.close();
  await server.drop();
});

function database(replica = 0): TenantDatabase {
  const found = databases[replica];
  if (found === undefined) {
    throw new Error(`there is no replica ${replica.toString()}`);
  }
  return found;
}

function replica(index: number, clock = new ImpatientClock(), stored = credentials) {
  const { url } = authorizationServer;
  const oauth = new PlatformOAuth(
    {
      authUrl: url,
      issuer: url,
      clientId: 'connector',
      clientSecret: new Secret('client-secret'),
      redirectUri: 'http://localhost/callback',
    },
    http,
  );
  return new PlatformAccess(database(index), stored, installations, oauth, clock).authorizationFor(installationId);
}

function storeExpired(): Promise<InstallationId> {
  return store(0);
}

async function store(expiresInSeconds: number): Promise<InstallationId> {
  const id = toInstallationId(randomUUID());
  await database().inInstallation('store', id, async (tx) => {
    const companyId = toCompanyId(randomUUID());
    await installations.authorize(tx, { id, companyId, companyName: 'Example' });
    await credentials.replace(tx, id, {
      accessToken: 'old-access',
      refreshToken: 'old-refresh',
      expiresInSeconds,
    });
  });
  return id;
}

/** As if a person had connected again. */
async function reconsent(): Promise<void> {
  await database().inInstallation('consent', installationId, (tx) =>
    credentials.replace(tx, installationId, {
      accessToken: 'consented-access',
      refreshToken: 'consented-refresh',
      expiresInSeconds: 900,
    }),
  );
}

interface CredentialState {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly claimed: boolean;
}

async function storedCredential(): Promise<CredentialState> {
  return database().inInstallation('read credential', installationId, (tx) =>
    tx.one<CredentialState>(sql`
      SELECT access_token, refresh_token, coalesce(refreshing_until > clock_timestamp(), false) AS claimed
      FROM credential WHERE installation_id = ${installationId}`),
  );
}

/** What the stored ciphertexts hold. */
async function pair(): Promise<unknown> {
  const stored = await database().inInstallation('open credential', installationId, (tx) =>
    credentials.find(tx, installationId),
  );
  return stored?.kind === 'tokens' ? [stored.accessToken, stored.refreshToken] : undefined;
}

async function stateOf(): Promise<string | undefined> {
  const found = await database().inInstallation('read installation', installationId, (tx) =>
    installations.find(tx, installationId),
  );
  return found?.state;
}

async function letClaimRunOut(): Promise<void> {
  await database().inInstallation('age claim', installationId, (tx) =>
    tx.execute(sql`
      UPDATE credential SET refreshing_until = clock_timestamp() - interval '1 second'
      WHERE installation_id = ${installationId}`),
  );
}

function usedRefreshTokens(): readonly (string | null)[] {
  return authorizationServer.requests.map(({ body }) => new URLSearchParams(body).get('refresh_token'));
}

/** A clock for each: what renews a claim must not let the time of the others run out. */
async function everyoneWaits(clocks: readonly ImpatientClock[]): Promise<void> {
  await Promise.all(clocks.map((clock) => clock.hasWaited(1)));
}

const GRANT = {
  access_token: 'new-access',
  refresh_token: 'new-refresh',
  token_type: 'Bearer',
  expires_in: 900,
};
const granting = respondingWith(200, GRANT);
const invalidGrant = respondingWith(400, { error: 'invalid_grant' });

describe('at expiry', () => {
  it('ten callers in three replicas cause one refresh, and all get the new token', async () => {
    const clocks = Array.from({ length: 10 }, () => new ImpatientClock());
    authorizationServer.plan(after(everyoneWaits(clocks), granting));
    const callers = clocks.map((clock, index) => replica(index % REPLICAS, clock).accessToken());
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['new-access']));
    expect(usedRefreshTokens()).toEqual(['old-refresh']);
  });

  it('the request is a form with the client in its body', async () => {
    authorizationServer.plan(granting);
    await replica(0).accessToken();
    const [request] = authorizationServer.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/oauth/token' });
    expect(request?.headers['content-type']).toContain('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'old-refresh',
      client_id: 'connector',
      client_secret: 'client-secret',
    });
  });

  it('the new pair is stored, sealed, before the caller gets it', async () => {
    authorizationServer.plan(granting);
    expect(await replica(0).accessToken()).toBe('new-access');
    const stored = await storedCredential();
    expect(stored.access_token).toMatch(/^v2\./);
    expect(await pair()).toEqual(['new-access', 'new-refresh']);
    expect(stored.claimed).toBe(false);
  });

  it.each([
    ['with fewer scopes than exports need', { scope: 'export-jobs:read' }],
    ['with a lifetime that cannot be', { expires_in: 1e12 }],
  ])('a pair %s is stored: the old refresh token is used up and must not be shown again', async (_, change) => {
    authorizationServer.plan(respondingWith(200, { ...GRANT, ...change }));
    expect(await replica(0).accessToken()).toBe('new-access');
    expect(await pair()).toEqual(['new-access', 'new-refresh']);
    expect(await replica(1).accessToken()).toBe('new-access');
    expect(usedRefreshTokens()).toEqual(['old-refresh']);
  });

  it('the next caller uses the stored token without a request', async () => {
    authorizationServer.plan(granting);
    await replica(0).accessToken();
    expect(await replica(1).accessToken()).toBe('new-access');
    expect(authorizationServer.requests).toHaveLength(1);
  });

  it.each([60, 90])(
    'a token that lives for %i s is used before it is renewed, and not at every request',
    async (life) => {
      installationId = await store(life);
      authorizationServer.plan();
      const callers = [0, 1, 2].map((index) => replica(index).accessToken());
      expect(await Promise.all(callers)).toEqual(['old-access', 'old-access', 'old-access']);
      expect(authorizationServer.requests).toHaveLength(0);
    },
  );
});

describe('a token that the platform has rejected', () => {
  it('is renewed once for ten callers', async () => {
    await reconsent();
    authorizationServer.plan(granting);
    const callers = Array.from({ length: 10 }, (_, index) => replica(index % REPLICAS).renewed('consented-access'));
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['new-access']));
    expect(usedRefreshTokens()).toEqual(['consented-refresh']);
  });

  it('is not renewed when a newer one is already there', async () => {
    await reconsent();
    authorizationServer.plan();
    expect(await replica(0).renewed('old-access')).toBe('consented-access');
    expect(authorizationServer.requests).toHaveLength(0);
  });
});

// The server may have used the token up: a second use at once could kill the whole family.
const UNKNOWN_OUTCOME: readonly (readonly [name: string, behavior: Behavior, type: new (...args: never[]) => Error])[] =
  [
    ['is lost', reset, NoResponse],
    ['breaks off', truncated, NoResponse],
    ['is no JSON', respondingWith(200, '<html>hello</html>'), InvalidPlatformResponse],
    ['is half a JSON text', respondingWith(200, '{"access_token":"new-acc'), InvalidPlatformResponse],
  ];

describe('a refresh whose response', () => {
  it.each(UNKNOWN_OUTCOME)('%s blocks every other use of the token', async (_, behavior, type) => {
    authorizationServer.always(behavior);
    await expect(replica(0).accessToken()).rejects.toBeInstanceOf(type);
    expect((await storedCredential()).claimed).toBe(true);
    await expect(replica(1).accessToken()).rejects.toBeInstanceOf(Retryable);
    expect(authorizationServer.requests).toHaveLength(1);
  });

  it('is lost is tried once more when the claim has expired', async () => {
    authorizationServer.plan(reset, granting);
    await expect(replica(0).accessToken()).rejects.toBeInstanceOf(NoResponse);
    await letClaimRunOut();
    expect(await replica(1).accessToken()).toBe('new-access');
    expect(usedRefreshTokens()).toEqual(['old-refresh', 'old-refresh']);
  });

  it('cannot be stored blocks every other use of the token', async () => {
    class UnstorableCredentials extends CredentialRepository {
      override storeRefreshed(): Promise<boolean> {
        return Promise.reject(new Error('the disk is full'));
      }
    }
    authorizationServer.always(granting);
    const unlucky = replica(0, new ImpatientClock(), new UnstorableCredentials(dataKeys));
    await expect(unlucky.accessToken()).rejects.toThrow('the disk is full');
    expect((await storedCredential()).claimed).toBe(true);
    expect(authorizationServer.requests).toHaveLength(1);
  });

  it('after a 500 keeps the claim: the server may have used the token up', async () => {
    authorizationServer.plan(respondingWith(500, { error: 'server_error' }), granting);
    await expect(replica(0).accessToken()).rejects.toThrow();
    expect((await storedCredential()).claimed).toBe(true);
  });
});

describe('a refresh that certainly had no effect', () => {
  it('because the server answered 400 lets the next caller try at once', async () => {
    authorizationServer.plan(respondingWith(400, { error: 'invalid_request' }), granting);
    await expect(replica(0).accessToken()).rejects.toThrow();
    expect((await storedCredential()).claimed).toBe(false);
    expect(await replica(1).accessToken()).toBe('new-access');
  });

  it('because of a refused connection lets the next caller try at once', async () => {
    const gone = await MisbehavingServer.start();
    await gone.close();
    http.close();
    http = new HttpClient({
      baseUrl: gone.url,
      timeoutMs: 5_000,
      maxResponseBytes: 65_536,
      maxConnections: 1,
    });
    await expect(replica(0).accessToken()).rejects.toMatchObject({ name: 'NoResponse', sent: false });
    expect((await storedCredential()).claimed).toBe(false);
  });
});

describe('a dead grant', () => {
  it('makes the installation require a new authorization, which every caller learns', async () => {
    const clocks = Array.from({ length: 3 }, () => new ImpatientClock());
    authorizationServer.plan(after(everyoneWaits(clocks), invalidGrant));
    const callers = clocks.map((clock, index) => replica(index, clock).accessToken());
    for (const outcome of await Promise.allSettled(callers)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(AuthorizationLost) });
    }
    expect(await stateOf()).toBe('needs_reauthorization');
    await expect(replica(1).accessToken()).rejects.toBeInstanceOf(AuthorizationLost);
    expect(authorizationServer.requests).toHaveLength(1);
  });
});

describe('a person who connects again while a refresh is under way', () => {
  it('keeps the new authorization when the old grant turns out dead', async () => {
    authorizationServer.plan((response) => {
      void reconsent().then(() => {
        invalidGrant(response);
      });
    });
    await replica(0)
      .accessToken()
      .catch(() => undefined);
    expect(await stateOf()).toBe('authorized');
    expect(await replica(1).accessToken()).toBe('consented-access');
  });

  it('uses the new tokens, not those of the old grant', async () => {
    authorizationServer.plan((response) => {
      void reconsent().then(() => {
        granting(response);
      });
    });
    expect(await replica(0).accessToken()).toBe('consented-access');
    expect(await pair()).toEqual(['consented-access', 'consented-refresh']);
  });
});

describe('through the platform client', () => {
  it.each([
    ['500', respondingWith(500, { error: 'server_error' })],
    ['no answer', reset],
  ])('a refresh with an unknown outcome (%s) is repeated once at most', async (_, behavior) => {
    authorizationServer.always(behavior);
    // Every claim runs out as soon as a process waits for it.
    const clock = new ImpatientClock(letClaimRunOut);
    const client = new PlatformHttp(http, clock, new UnlimitedBudget());
    const work = client.fetch(replica(0, clock), { method: 'GET', path: '/v3/export-jobs' }, ({ text }) => text);
    await expect(work).rejects.toThrow();
    expect(usedRefreshTokens().length).toBeLessThanOrEqual(2);
  });
});
