import { beforeAll, describe, expect, it } from '@jest/globals';
import { CredentialRepository } from '../../../../src/connector/installations/credentials/credential.repository.js';
import { DataKeyRepository } from '../../../../src/connector/installations/credentials/data-key.repository.js';
import { KeyRingService } from '../../../../src/connector/installations/credentials/key-ring.service.js';
import { ResealValues } from '../../../../src/connector/installations/credentials/reseal-values.js';
import type { RotateKeys } from '../../../../src/connector/installations/credentials/rotate-keys.js';
import { RewrapKeys } from '../../../../src/connector/installations/credentials/rewrap-keys.js';
import { SubscriptionRepository } from '../../../../src/connector/installations/subscription/subscription.repository.js';
import {
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// A new first key of CREDENTIAL_KEYS wraps every data key, after which the old one can be removed (S26).

const OLD = ['test', Buffer.alloc(32, 7)] as const;
const NEW = ['new', Buffer.alloc(32, 8)] as const;
const INSTALLATIONS = 25;

const both = new KeyRingService({ primary: 'new', keys: new Map([NEW, OLD]) });
const onlyNew = new KeyRingService({ primary: 'new', keys: new Map([NEW]) });

const connector = startedOnce(startConnectorApp);
let all: readonly StoredInstallation[];

beforeAll(async () => {
  const stored: StoredInstallation[] = [];
  for (let index = 0; index < INSTALLATIONS; index += 1) {
    stored.push(await storeInstallation(connector, `Company ${index.toString()}`));
  }
  all = stored;
});

const rewrap = (keys = new DataKeyRepository(both)) => new RewrapKeys(connector.runtime.database, keys);

async function wrapped(): Promise<unknown> {
  const { rows } = await connector.admin.query(
    `SELECT ring_key_id, count(*)::int AS count, bool_and(wrapped_key LIKE 'v1.' || ring_key_id || '.%') AS consistent
     FROM data_key GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

/** What opens with a key ring: the access token and the webhook secret. */
async function opened(ring: KeyRingService, { id }: StoredInstallation): Promise<unknown> {
  const keys = new DataKeyRepository(ring);
  return connector.runtime.database.inInstallation('open', id, async (tx) => {
    const credential = await new CredentialRepository(keys).find(tx, id);
    const subscription = await new SubscriptionRepository(keys).find(tx, id);
    return [credential?.kind === 'tokens' ? credential.accessToken : undefined, subscription?.secret];
  });
}

describe('a rotation of the key ring', () => {
  it('that is interrupted loses nothing', async () => {
    class Killed extends DataKeyRepository {
      private left = 10;

      override async rewrap(...args: Parameters<DataKeyRepository['rewrap']>): Promise<void> {
        await super.rewrap(...args);
        this.left -= 1;
        if (this.left < 0) {
          // After the write and before the commit, where a killed process leaves the most behind.
          throw new Error('killed');
        }
      }
    }
    await expect(rewrap(new Killed(both)).rewrapAll(new AbortController().signal)).rejects.toThrow('killed');
    expect(await wrapped()).toEqual([
      { ring_key_id: 'new', count: 10, consistent: true },
      { ring_key_id: 'test', count: INSTALLATIONS - 10, consistent: true },
    ]);
    for (const one of all) {
      expect(await opened(both, one)).toEqual([`access-${one.id}`, one.secret]);
    }
  });

  it('shows the operator its progress', async () => {
    const answer = await connector.app.inject({
      method: 'GET',
      url: '/api/v1/operator/credential-keys',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect(answer.json()).toEqual({
      primary: 'test',
      wrapped: [
        { keyId: 'new', installations: 10 },
        { keyId: 'test', installations: INSTALLATIONS - 10 },
      ],
    });
  });

  it('stops between two installations when the process ends', async () => {
    const stopped = new AbortController();
    stopped.abort();
    const before = await wrapped();
    await rewrap().rewrapAll(stopped.signal);
    expect(await wrapped()).toEqual(before);
  });

  it('is finished by the next run, after which the old key can be removed', async () => {
    await rewrap().rewrapAll(new AbortController().signal);
    expect(await wrapped()).toEqual([{ ring_key_id: 'new', count: INSTALLATIONS, consistent: true }]);
    for (const one of all) {
      expect(await opened(onlyNew, one)).toEqual([`access-${one.id}`, one.secret]);
    }
  });

  it('with a data key that does not open goes on with those of all others, and fails', async () => {
    const two = [await storeInstallation(connector, 'One'), await storeInstallation(connector, 'Two')];
    const [broken = '', whole = ''] = two.map(({ id }) => id).toSorted();
    const keyOf = async (id: string) => {
      const { rows } = await connector.admin.query<{ wrapped_key: string; ring_key_id: string }>(
        'SELECT wrapped_key, ring_key_id FROM data_key WHERE installation_id = $1',
        [id],
      );
      return rows[0];
    };
    const setKey = (text: string | undefined) =>
      connector.admin.query('UPDATE data_key SET wrapped_key = $2 WHERE installation_id = $1', [broken, text]);
    const before = await keyOf(broken);
    await setKey((await keyOf(whole))?.wrapped_key);
    await expect(rewrap().rewrapAll(new AbortController().signal)).rejects.toThrow();
    expect([(await keyOf(broken))?.ring_key_id, (await keyOf(whole))?.ring_key_id]).toEqual(['test', 'new']);
    await setKey(before?.wrapped_key);
    await rewrap().rewrapAll(new AbortController().signal);
  });

  it('re-encrypts what was stored before installations had data keys', async () => {
    const old = await storeInstallation(connector, 'Old');
    const { id, secret } = old;
    const sealed = (column: Parameters<KeyRingService['seal']>[0], text: string) =>
      connector.runtime.keys.seal(column, id, text);
    await connector.admin.query('DELETE FROM data_key WHERE installation_id = $1', [id]);
    await connector.admin.query(
      'UPDATE credential SET access_token = $2, refresh_token = $3 WHERE installation_id = $1',
      [id, sealed('credential.access_token', `access-${id}`), sealed('credential.refresh_token', `refresh-${id}`)],
    );
    await connector.admin.query('UPDATE subscription SET endpoint_token = $2, secret = $3 WHERE installation_id = $1', [
      id,
      sealed('subscription.endpoint_token', old.endpointToken),
      sealed('subscription.secret', secret),
    ]);
    expect(await opened(both, old)).toEqual([`access-${id}`, secret]);
    await rewrap().rewrapAll(new AbortController().signal);
    expect(await opened(onlyNew, old)).toEqual([`access-${id}`, secret]);
  });
});

describe('the rotation command', () => {
  const reseal = (ring: KeyRingService) => {
    const { database } = connector.runtime;
    const rotateKeys = {
      rotate: () => new RewrapKeys(database, new DataKeyRepository(ring)).rewrapAll(new AbortController().signal),
    };
    return new ResealValues(database, ring, rotateKeys as unknown as RotateKeys).resealAll();
  };
  const third = new KeyRingService({ primary: 'third', keys: new Map([['third', Buffer.alloc(32, 9)], NEW, OLD]) });

  it('counts every sealed value, and re-encrypts everything under an old key', async () => {
    const state = Buffer.alloc(32, 3);
    const verifier = both.seal('connection_attempt.code_verifier', state.toString('hex'), 'verifier');
    const answer = both.seal('operator_idempotency_key.answer', 'operator', 'answer');
    await connector.admin.query(
      `INSERT INTO connection_attempt (state_hash, browser_hash, code_verifier, expires_at) VALUES ($1, '', $2, now())`,
      [state, verifier],
    );
    await connector.admin.query(
      `INSERT INTO operator_idempotency_key (key_hash, fingerprint, attempt, begun_at, expires_at, answer)
       VALUES ($1, '', 1, now(), now(), $2)`,
      [state, answer],
    );
    const { rows: columns } = await connector.admin.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'connector' AND data_type = 'text'`,
    );
    let all = 0;
    let ofTheRing = 0;
    for (const { table, column } of columns) {
      const { rows } = await connector.admin.query<{ all: number; ring: number }>(
        `SELECT count(*)::int AS all, (count(*) FILTER (WHERE value LIKE 'v1.%'))::int AS ring
         FROM (SELECT "${column}" AS value FROM connector.${table}) t WHERE value ~ '^v[12]\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]'`,
      );
      all += rows[0]?.all ?? 0;
      ofTheRing += rows[0]?.ring ?? 0;
    }
    expect(ofTheRing).toBeGreaterThan(INSTALLATIONS);
    expect(await reseal(third)).toEqual({ values: all, resealed: ofTheRing, left: [] });
    expect(await reseal(third)).toEqual({ values: all, resealed: 0, left: [] });
    const attempt = await connector.admin.query<{ code_verifier: string }>(
      'SELECT code_verifier FROM connection_attempt',
    );
    const onlyThird = new KeyRingService({ primary: 'third', keys: new Map([['third', Buffer.alloc(32, 9)]]) });
    expect(
      onlyThird.unseal('connection_attempt.code_verifier', state.toString('hex'), attempt.rows[0]?.code_verifier ?? ''),
    ).toBe('verifier');
  });

  it('reports what is left under an old key', async () => {
    const { id } = await storeInstallation(connector, 'Left');
    const old = connector.runtime.keys.seal('subscription.secret', id, 'secret');
    await connector.admin.query('UPDATE subscription SET secret = $2 WHERE installation_id = $1', [id, old]);
    const { left } = await reseal(third);
    expect(left).toEqual([{ column: 'subscription.secret', keyId: 'test', count: 1 }]);
    await connector.admin.query('DELETE FROM subscription WHERE installation_id = $1', [id]);
  });
});

describe('a data key', () => {
  it('does not decrypt values of another installation, even when the rows are swapped', async () => {
    const [one, two] = [await storeInstallation(connector, 'One'), await storeInstallation(connector, 'Two')];
    await connector.admin.query(
      `UPDATE credential SET access_token = (SELECT access_token FROM credential WHERE installation_id = $2)
       WHERE installation_id = $1`,
      [one.id, two.id],
    );
    await expect(opened(connector.runtime.keys, one)).rejects.toThrow('cannot be decrypted');
    await connector.admin.query(
      `UPDATE data_key SET wrapped_key = (SELECT wrapped_key FROM data_key WHERE installation_id = $2)
       WHERE installation_id = $1`,
      [one.id, two.id],
    );
    await expect(opened(connector.runtime.keys, one)).rejects.toThrow('data_key.wrapped_key cannot be decrypted');
  });

  it('that is destroyed leaves ciphertexts that cannot be decrypted', async () => {
    const one = await storeInstallation(connector, 'Gone');
    await connector.admin.query('DELETE FROM data_key WHERE installation_id = $1', [one.id]);
    await expect(opened(connector.runtime.keys, one)).rejects.toThrow('its secrets are destroyed');
  });
});
