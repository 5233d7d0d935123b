import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertsModule } from '../../../../src/connector/alerts/alerts.module.js';
import { ALERT_KINDS, type AlertKind } from '../../../../src/connector/alerts/domain/alert.js';
import type { AlertSettingsChange } from '../../../../src/connector/alerts/save-alert-settings.js';
import { Uninstall } from '../../../../src/connector/installations/uninstall/uninstall.js';
import { ExportsHarness, type Tenant } from '../exports/exports-harness.js';
import { PlantedFacts } from './planted-facts.js';
import { after, respondingWith, MisbehavingServer } from '../../../support/servers/misbehaving-server.js';
import { AlertUseCases } from './alert-use-cases.js';
import { startedOnce } from '../../../support/started-once.js';

// What becomes of alerts when their installation goes, and when they are old.

const receiver = startedOnce(() => MisbehavingServer.start());
const harness = startedOnce(() => ExportsHarness.start(undefined, undefined, [AlertsModule]));
let alerts: AlertUseCases;
let tenant: Tenant;

beforeAll(() => {
  alerts = new AlertUseCases(harness);
});
beforeEach(async () => {
  receiver.always(respondingWith(204, ''));
  tenant = await harness.addTenant();
  await switchOn();
});

async function switchOn(address = receiver.url): Promise<void> {
  await save({ channel: 'webhook', address });
}

const switchOff = () => save({ channel: 'off', address: undefined });

async function save(
  target: Pick<AlertSettingsChange, 'channel' | 'address'>,
  kinds: readonly AlertKind[] = ALERT_KINDS,
): Promise<void> {
  const { version } = await alerts.reader.readSettings(tenant.installationId);
  const change = { ...target, kinds, newSecret: false };
  const { outcome } = await alerts.saveAlertSettings.saveSettings(tenant.installationId, version, change);
  expect(outcome).toBe('saved');
}

const look = () => alerts.processDueAlerts.processDue(tenant.installationId, new AbortController().signal);
const list = () => alerts.reader.list(tenant.installationId, undefined, 100);
const plantJob = () => new PlantedFacts(harness, tenant).job('failed');

describe('after uninstalling', () => {
  const uninstall = () => harness.get(Uninstall).uninstall(tenant.installationId);
  const comeBack = () =>
    harness.admin.query(`UPDATE installation SET state = 'active', generation = generation + 1 WHERE id = $1`, [
      tenant.installationId,
    ]);

  it('no alert is sent, and neither address nor secret is left', async () => {
    await uninstall();
    await comeBack();
    await plantJob();
    await look();
    expect(receiver.requests).toEqual([]);
    const { rows } = await harness.admin.query(
      'SELECT channel, address, sealed_address, webhook_secret FROM alert_setting WHERE installation_id = $1',
      [tenant.installationId],
    );
    expect(rows).toEqual([{ channel: 'off', address: null, sealed_address: null, webhook_secret: null }]);
  });

  it('new settings of alerts send nothing that waited before', async () => {
    receiver.always(respondingWith(503, ''));
    for (let index = 0; index < 12; index += 1) {
      await plantJob();
    }
    await look();
    await plantJob();
    await look();
    const before = receiver.requests.length;
    await uninstall();
    await comeBack();
    harness.clock.passMinutes(90);
    receiver.always(respondingWith(204, ''));
    await switchOn();
    await look();
    expect([before, receiver.requests.length]).toEqual([12, 0]);
    expect(new Set((await list()).map(({ state, problem }) => `${state}: ${problem ?? ''}`))).toEqual(
      new Set(['failed: the connector was uninstalled']),
    );
  });
});

describe('after other settings were saved', () => {
  const other = startedOnce(() => MisbehavingServer.start());

  it('what is left to be sent goes to the new address', async () => {
    other.always(respondingWith(204, ''));
    for (let index = 0; index < 3; index += 1) {
      await plantJob();
    }
    receiver.always((response) => {
      after(switchOn(other.url), respondingWith(204, ''))(response);
    });
    await look();
    expect([receiver.requests.length, other.requests.length]).toEqual([1, 2]);
  });

  it('a kind that is added is about what happens from then on', async () => {
    await save({ channel: 'webhook', address: receiver.url }, ['export-with-errors']);
    await plantJob();
    harness.clock.passMinutes(3);
    await switchOn();
    await look();
    expect(receiver.requests).toEqual([]);
    await plantJob();
    await look();
    expect(receiver.requests).toHaveLength(1);
  });

  it('nothing is sent once they are off', async () => {
    for (let index = 0; index < 3; index += 1) {
      await plantJob();
    }
    receiver.always((response) => {
      after(switchOff(), respondingWith(204, ''))(response);
    });
    await look();
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a message that another worker has sent while an attempt took too long', () => {
  it.each([1, 7])('stays sent when attempt %i fails after all', async (attempt) => {
    await plantJob();
    receiver.always(respondingWith(503, ''));
    for (let failed = 1; failed < attempt; failed += 1) {
      await look();
      harness.clock.passMinutes(400);
    }
    const sendByAnother = async () => {
      receiver.always(respondingWith(204, ''));
      harness.clock.passMinutes(2);
      await look();
    };
    receiver.always((response) => {
      after(sendByAnother(), respondingWith(503, ''))(response);
    });
    await look();
    expect(await list()).toMatchObject([{ state: 'sent', problem: null }]);
  });
});

describe('old alerts', () => {
  it('are kept for 400 days, with their messages', async () => {
    await plantJob();
    await look();
    const count = async () => {
      const { rows } = await harness.admin.query<{ alerts: number; messages: number }>(
        `SELECT (SELECT count(*)::int FROM alert WHERE installation_id = $1) AS alerts,
           (SELECT count(*)::int FROM alert_message WHERE installation_id = $1) AS messages`,
        [tenant.installationId],
      );
      return rows[0];
    };
    harness.clock.passMinutes(400 * 24 * 60 - 1);
    await alerts.deleteOldAlerts.deleteOld();
    expect(await count()).toEqual({ alerts: 1, messages: 1 });
    harness.clock.passMinutes(2);
    await alerts.deleteOldAlerts.deleteOld();
    expect(await count()).toEqual({ alerts: 0, messages: 0 });
  });
});
