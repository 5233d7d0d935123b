import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AlertFactsRepository } from '../../../src/connector/alerts/alert-facts.repository.js';
import { CredentialRepository } from '../../../src/connector/installations/credentials/credential.repository.js';
import { DataKeyRepository } from '../../../src/connector/installations/credentials/data-key.repository.js';
import { InstallationRepository } from '../../../src/connector/installations/installation.repository.js';
import { KeyRingService } from '../../../src/connector/installations/credentials/key-ring.service.js';
import { PlatformAccess } from '../../../src/connector/installations/credentials/platform-access.js';
import { AuthorizationLost } from '../../../src/connector/platform/platform-error.js';
import { PlatformOAuth } from '../../../src/connector/platform/platform-oauth.js';
import { Secret } from '../../../src/foundation/config/secret.js';
import { sql } from '../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../src/foundation/database/tenant-database.js';
import type { Tx } from '../../../src/foundation/database/transaction.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { toCompanyId, toInstallationId, type InstallationId } from '../../../src/kernel/ids.js';
import { createTestDatabase, transactionsOf, type TestDatabase } from '../../support/test-database.js';
import { ImpatientClock } from './impatient-clock.js';
import { RefreshServer, type Rotation } from './refresh-server.js';

// Four ways in which authorization servers treat a refresh token, and what becomes of a connection under each
// (S28, G12; invariants I19, I41).

const REPLICAS = 10;
const EXPIRIES = 20;
const ROTATIONS: readonly Rotation[] = ['none', 'grace', 'strict', 'family'];

const keys = new KeyRingService({ primary: 'test', keys: new Map([['test', Buffer.alloc(32, 7)]]) });
const credentials = new CredentialRepository(new DataKeyRepository(keys));
const installations = new InstallationRepository();

let test: TestDatabase;
let databases: readonly TenantDatabase[];
let server: RefreshServer;
let http: HttpClient;
let id: InstallationId;

beforeAll(async () => {
  test = await createTestDatabase();
  server = await RefreshServer.start();
  http = new HttpClient({
    baseUrl: server.url,
    // Of everything but a refresh.
    timeoutMs: 1_000,
    maxResponseBytes: 65_536,
    maxConnections: 10,
  });
  databases = await Promise.all(
    Array.from({ length: REPLICAS }, () =>
      TenantDatabase.connect({ ...transactionsOf(test.url), applicationName: 'replica', poolSize: 2 }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  http.close();
  await server.close();
  await test.drop();
});
beforeEach(async () => {
  id = toInstallationId(randomUUID());
  await inTenant(async (tx) => {
    const companyId = toCompanyId(randomUUID());
    await installations.authorize(tx, {
      id,
      companyId,
      companyName: 'Example',
    });
    const [accessToken, refreshToken] = server.consent('none');
    await credentials.replace(tx, id, { accessToken, refreshToken, expiresInSeconds: 900 });
  });
});

async function inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return database(0).inInstallation('test', id, work);
}

function database(index: number): TenantDatabase {
  const found = databases[index];
  if (found === undefined) {
    throw new Error(`there is no replica ${index.toString()}`);
  }
  return found;
}

function replica(index: number) {
  const oauth = new PlatformOAuth(
    {
      authUrl: server.url,
      issuer: server.url,
      clientId: 'connector',
      clientSecret: new Secret('client-secret'),
      redirectUri: 'http://localhost/callback',
    },
    http,
  );
  return new PlatformAccess(database(index), credentials, installations, oauth, new ImpatientClock()).authorizationFor(
    id,
  );
}

async function consented(rotation: Rotation): Promise<void> {
  const [accessToken, refreshToken] = server.consent(rotation);
  await inTenant((tx) => credentials.replace(tx, id, { accessToken, refreshToken, expiresInSeconds: 900 }));
}

/** Two thirds of the access token's life are over; so many seconds of it are left. */
async function age(secondsLeft: number): Promise<void> {
  await inTenant((tx) =>
    tx.execute(sql`
      UPDATE credential SET refresh_after = clock_timestamp(), refreshing_until = NULL,
        expires_at = clock_timestamp() + make_interval(secs => ${secondsLeft})
      WHERE installation_id = ${id}`),
  );
}

async function stored(): Promise<readonly [string | undefined, string | undefined, string | undefined]> {
  return inTenant(async (tx) => {
    const credential = await credentials.find(tx, id);
    const state = (await installations.find(tx, id))?.state;
    return credential?.kind === 'tokens'
      ? [credential.accessToken, credential.refreshToken, state]
      : [undefined, undefined, state];
  });
}

describe.each(ROTATIONS)('a server with rotation "%s"', (rotation) => {
  it(`is called once at each of ${EXPIRIES.toString()} expiries by ten replicas, and never with a used token`, async () => {
    await consented(rotation);
    for (let expiry = 1; expiry <= EXPIRIES; expiry += 1) {
      await age(300);
      const inHand = server.accessToken;
      const tokens = await Promise.all(databases.map((_, index) => replica(index).accessToken()));
      // The others go on with what they have while one refreshes.
      expect([inHand, server.accessToken]).toEqual(expect.arrayContaining(tokens));
      expect(await replica(0).accessToken()).toBe(server.accessToken);
      expect(server.uses).toBe(expiry);
    }
    expect(server.replays).toBe(0);
    expect(await stored()).toEqual([server.accessToken, server.refreshToken, 'authorized']);
  });

  const goesOn = rotation === 'none' || rotation === 'grace';

  it('whose response is lost is called once more, and then recovers or requires a person, with the reason', async () => {
    await consented(rotation);
    const [inHand] = await stored();
    await age(300);
    server.disturbNext('lost');
    expect(await replica(0).accessToken()).toBe(inHand);
    expect(await replica(1).accessToken()).toBe(inHand);
    await age(300);
    // Where the grant is dead the old access token is still good, for the verdict of a running job.
    expect(await replica(1).accessToken()).toBe(goesOn ? server.accessToken : inHand);
    expect((await stored())[2]).toBe(goesOn ? 'authorized' : 'needs_reauthorization');
    expect(server.uses).toBe(2);
    expect(await reasons()).toEqual(goesOn ? [] : [expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/)]);
  });

  it('whose response is late loses nothing: the current access token is used meanwhile', async () => {
    await consented(rotation);
    const [inHand] = await stored();
    await age(300);
    server.disturbNext('late');
    // Longer than any other request may take.
    expect(await replica(0).accessToken()).toBe(inHand);
    expect(await replica(1).accessToken()).toBe(inHand);
    server.deliverLate();
    while ((await stored())[0] === inHand) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await stored()).toEqual([server.accessToken, server.refreshToken, 'authorized']);
    expect(await replica(1).accessToken()).toBe(server.accessToken);
    expect([server.uses, server.replays]).toEqual([1, 0]);
  });

  it('that receives a refresh twice loses nothing, unless it treats that as theft', async () => {
    await consented(rotation);
    await age(300);
    server.disturbNext('doubled');
    const given = await replica(0).accessToken();
    expect((await stored())[0]).toBe(given);
    await age(300);
    const isTheft = rotation === 'family';
    expect(await replica(1).accessToken()).toBe(isTheft ? given : server.accessToken);
    expect((await stored())[2]).toBe(isTheft ? 'needs_reauthorization' : 'authorized');
  });
});

/** What an administrator is notified of besides. */
async function reasons(): Promise<readonly string[]> {
  const query = { kinds: ['authorization-needed' as const], since: new Date(0), nearEnd: new Date(0) };
  const facts = await inTenant((tx) =>
    new AlertFactsRepository().find(tx, id, {
      ...query,
      digests: { day: '2026-01-01', week: '2026-01-01' },
      inDoubtBefore: new Date(0),
    }),
  );
  return facts.map(({ detail }) => detail);
}

describe('a dead grant', () => {
  beforeEach(async () => {
    await consented('strict');
    server.revoke();
  });

  it.each([
    [300, true],
    [61, true],
    [59, false],
    [0, false],
  ])('with %d s of the access token left still acts: %s', async (secondsLeft, acts) => {
    const [accessToken] = await stored();
    await age(secondsLeft);
    const first = await replica(0)
      .accessToken()
      .catch((error: unknown) => error);
    // Whatever became of the claim: a dead refresh token is never used again.
    await age(secondsLeft);
    const second = await replica(1)
      .accessToken()
      .catch((error: unknown) => error);
    const expected = acts ? accessToken : expect.any(AuthorizationLost);
    expect([first, second]).toEqual([expected, expected]);
    expect((await stored())[2]).toBe('needs_reauthorization');
    expect(server.uses).toBe(1);
  });

  it('is given up at once when the platform rejects the access token too', async () => {
    const [accessToken = ''] = await stored();
    await age(300);
    await replica(0).accessToken();
    await expect(replica(0).renewed(accessToken)).rejects.toBeInstanceOf(AuthorizationLost);
    expect(server.uses).toBe(1);
  });

  it('is replaced by a new consent, with the configuration kept', async () => {
    await inTenant((tx) => tx.execute(sql`UPDATE installation SET erp_company_id = 'kept' WHERE id = ${id}`));
    await age(0);
    await expect(replica(0).accessToken()).rejects.toBeInstanceOf(AuthorizationLost);
    await inTenant(async (tx) => {
      const companyId = (await installations.find(tx, id))?.companyId ?? toCompanyId(randomUUID());
      await installations.authorize(tx, {
        id,
        companyId,
        companyName: 'Example',
      });
    });
    await consented('strict');
    expect(await replica(0).accessToken()).toBe(server.accessToken);
    const found = await inTenant((tx) => installations.find(tx, id));
    expect(found).toMatchObject({ state: 'authorized', erpCompanyId: 'kept', generation: 1 });
  });
});
