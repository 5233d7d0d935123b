import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { InstallationRepository } from '../../../../src/connector/installations/installation.repository.js';
import { RecordIntake } from '../../../../src/connector/installations/record-intake.js';
import type { Tx } from '../../../../src/foundation/database/transaction.js';
import {
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { signWebhook } from '../../../support/signed-webhook.js';

let connector: ConnectorUnderTest;
let installations: InstallationRepository;
let intake: RecordIntake;
let mine: StoredInstallation;

beforeAll(async () => {
  connector = await startConnectorApp();
  installations = connector.app.get(InstallationRepository, { strict: false });
  intake = connector.app.get(RecordIntake, { strict: false });
});
beforeEach(async () => {
  await connector.admin.query(`UPDATE installation SET state = 'uninstalled'; DELETE FROM intake_heartbeat`);
  mine = await storeInstallation(connector);
  await setNextPoll(mine, 300);
});
afterAll(() => connector.close());

/** Seconds until the installation is due, rounded to ten because the test takes time too. */
async function nextPollOf({ id }: StoredInstallation): Promise<number> {
  const { rows } = await connector.admin.query<{ seconds: number }>(
    `SELECT round(extract(epoch FROM next_poll_at - clock_timestamp()), -1)::int AS seconds FROM installation WHERE id = $1`,
    [id],
  );
  return rows[0]?.seconds ?? Number.NaN;
}

async function setNextPoll({ id }: StoredInstallation, seconds: number): Promise<void> {
  await connector.admin.query(
    `UPDATE installation SET next_poll_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1`,
    [id, seconds],
  );
}

async function setState({ id }: StoredInstallation, state: string): Promise<void> {
  await connector.admin.query('UPDATE installation SET state = $2 WHERE id = $1', [id, state]);
}

/** Sets the age of the intake's last heartbeat. */
async function setLastIntake(seconds: number): Promise<void> {
  await connector.admin.query(
    `INSERT INTO intake_heartbeat (last_beat_at) VALUES (clock_timestamp() - make_interval(secs => $1))
     ON CONFLICT (singleton) DO UPDATE SET last_beat_at = EXCLUDED.last_beat_at`,
    [seconds],
  );
}

async function dueNow() {
  return connector.runtime.database.acrossInstallations('test', (tx) => installations.claimDue(tx, 100));
}

const inMine = <T>(work: (tx: Tx) => Promise<T>) => connector.runtime.database.inInstallation('test', mine.id, work);
const beginPoll = () => inMine((tx) => installations.beginPoll(tx, mine.id));
const endPoll = (begun: Date | undefined, seconds: number) =>
  inMine((tx) => installations.endPoll(tx, mine.id, begun, seconds));

async function send(secret: string, age: number): Promise<number> {
  const data = { id: randomUUID(), companyId: mine.companyId };
  const body = Buffer.from(
    JSON.stringify({ payload: { data, eventId: randomUUID(), eventType: 'v1.export-job.created' } }),
  );
  const at = Math.floor(Date.now() / 1_000) - age;
  const { headers } = signWebhook(secret, `msg_${randomUUID()}`, at, body);
  const url = `/webhooks/${mine.endpointToken}`;
  return (await connector.app.inject({ method: 'POST', url, headers, payload: body })).statusCode;
}

describe('the next poll of an installation', () => {
  it('is due once', async () => {
    await setNextPoll(mine, 0);
    expect(await dueNow()).toEqual([{ id: mine.id, state: 'active' }]);
    expect(await dueNow()).toEqual([]);
  });

  it('is due for an unfinished connection, and not for one without authorization', async () => {
    await setNextPoll(mine, 0);
    await setState(mine, 'authorized');
    const lost = await storeInstallation(connector, 'Lost');
    await setNextPoll(lost, 0);
    await setState(lost, 'needs_reauthorization');
    expect(await dueNow()).toEqual([{ id: mine.id, state: 'authorized' }]);
  });

  it('is due at the time that the end of the poll sets', async () => {
    await endPoll(await beginPoll(), 400);
    expect(await nextPollOf(mine)).toBe(400);
  });

  it('is due in a minute when the poll fails, or never ends', async () => {
    await beginPoll();
    expect(await nextPollOf(mine)).toBe(60);
    await setNextPoll(mine, 0);
    await dueNow();
    expect(await nextPollOf(mine)).toBe(60);
  });

  it('keeps the time of a hint that arrives during the poll', async () => {
    const begun = await beginPoll();
    expect(await send(mine.secret, 0)).toBe(202);
    await endPoll(begun, 400);
    expect(await nextPollOf(mine)).toBe(0);
  });
});

describe('a webhook', () => {
  it('makes the poll due at once', async () => {
    expect(await send(mine.secret, 0)).toBe(202);
    expect(await dueNow()).toEqual([{ id: mine.id, state: 'active' }]);
  });

  it('that is stale but correctly signed makes it due at once too', async () => {
    expect(await send(mine.secret, 301)).toBe(401);
    expect(await dueNow()).toEqual([{ id: mine.id, state: 'active' }]);
  });

  it('of another installation changes nothing', async () => {
    const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`;
    expect([await send(secret, 0), await send(secret, 301)]).toEqual([401, 401]);
    expect(await dueNow()).toEqual([]);
  });

  it('is accepted and makes the poll due without the queue’s schema', async () => {
    await connector.admin.query('DROP SCHEMA pgboss CASCADE');
    expect(await send(mine.secret, 0)).toBe(202);
    expect(await dueNow()).toEqual([{ id: mine.id, state: 'active' }]);
  });
});

describe('after an outage of the intake', () => {
  it('every company is due within a minute and a half', async () => {
    const companies = [mine, await storeInstallation(connector, 'B'), await storeInstallation(connector, 'C')];
    for (const company of companies) {
      await setNextPoll(company, 600);
    }
    await setLastIntake(31);
    await intake.record();
    for (const company of companies) {
      expect(await nextPollOf(company)).toBeLessThanOrEqual(90);
    }
  });

  it('an earlier poll keeps its time', async () => {
    await setNextPoll(mine, -5);
    await setLastIntake(31);
    await intake.record();
    expect(await nextPollOf(mine)).toBeLessThanOrEqual(-5);
  });

  it('only the first heartbeat counts, not those of other processes', async () => {
    await setLastIntake(31);
    await intake.record();
    await setNextPoll(mine, 300);
    await intake.record();
    expect(await nextPollOf(mine)).toBe(300);
  });

  it.each([
    ['first ever', undefined],
    ['half a minute after the last', 29],
  ])('a heartbeat that is the %s changes nothing', async (_, seconds) => {
    if (seconds !== undefined) {
      await setLastIntake(seconds);
    }
    await intake.record();
    expect(await nextPollOf(mine)).toBe(300);
  });
});
