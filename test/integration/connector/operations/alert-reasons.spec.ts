import { expect, it } from '@jest/globals';
import { AlertsModule } from '../../../../src/connector/alerts/alerts.module.js';
import { alertMessages } from '../../../../src/connector/alerts/domain/alert.js';
import { localize } from '../../../../src/connector/messages/texts.js';
import { ExportsHarness } from '../exports/exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';
import { MisbehavingServer, respondingWith } from '../../../support/servers/misbehaving-server.js';
import { AlertUseCases } from './alert-use-cases.js';
import { PlantedFacts } from './planted-facts.js';

const receiver = startedOnce(() => MisbehavingServer.start());
const harness = startedOnce(() => ExportsHarness.start(undefined, undefined, [AlertsModule]));

it.each([
  ['kept as messages', 'short', 'The connector was uninstalled while', 'Der Konnektor wurde entfernt,'],
  ['longer than an alert keeps', 'x'.repeat(1_000), 'Set the wallet account,', 'Set the wallet account,'],
])(
  'the reason of a failed export, %s, is in English on the platform and in the reader’s language on the page',
  async (...row) => {
    const [, text, inEnglish, inGerman] = row;
    receiver.always(respondingWith(204, ''));
    const tenant = await harness.addTenant();
    const alerts = new AlertUseCases(harness);
    await alerts.saveAlertSettings.saveSettings(tenant.installationId, 0, {
      channel: 'webhook',
      address: `${receiver.url}/alerts`,
      kinds: ['export-failed'],
      newSecret: false,
    });
    const jobId = await new PlantedFacts(harness, tenant).job('failed');
    await harness.admin.query(`UPDATE export_job SET failure_messages = $2, version = version + 1 WHERE id = $1`, [
      jobId,
      JSON.stringify([{ code: 'reason.job.uninstalled', parameters: { text } }]),
    ]);

    await alerts.processDueAlerts.processDue(tenant.installationId, new AbortController().signal);

    const [alert] = await alerts.reader.list(tenant.installationId, undefined, 100);
    expect(alert?.advice).toContain(inEnglish);
    expect(alert && localize('de', alertMessages(alert).advice).text).toContain(inGerman);
  },
);

it('a preview that fails raises no alert: nothing was to be changed, and a person waits for it', async () => {
  receiver.always(respondingWith(204, ''));
  const tenant = await harness.addTenant();
  const alerts = new AlertUseCases(harness);
  await alerts.saveAlertSettings.saveSettings(tenant.installationId, 0, {
    channel: 'webhook',
    address: `${receiver.url}/alerts`,
    kinds: ['sync-failed'],
    newSecret: false,
  });
  const raised = async () => {
    await alerts.processDueAlerts.processDue(tenant.installationId, new AbortController().signal);
    return (await alerts.reader.list(tenant.installationId, undefined, 100)).map(({ kind }) => kind);
  };
  await new PlantedFacts(harness, tenant).of('sync-failed');
  const setPreview = (isPreview: boolean) =>
    harness.admin.query('UPDATE sync_run SET is_preview = $2 WHERE installation_id = $1', [
      tenant.installationId,
      isPreview,
    ]);
  await setPreview(true);
  expect(await raised()).toEqual([]);
  await setPreview(false);
  expect(await raised()).toEqual(['sync-failed']);
});
