import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { AlertsModule } from '../../../../src/connector/alerts/alerts.module.js';
import { ALERT_KINDS, type AlertKind } from '../../../../src/connector/alerts/domain/alert.js';
import type { AlertChannel } from '../../../../src/connector/alerts/domain/alert-settings.js';
import { pageFor } from '../../../../src/connector/alerts/domain/alert-message.js';
import { addDays } from '../../../../src/kernel/local-date.js';
import { freePort } from '../../../../src/foundation/process/free-port.js';
import { ExportsHarness, type Tenant } from '../exports/exports-harness.js';
import { PlantedFacts } from './planted-facts.js';
import { Mailbox } from '../../../support/servers/mailbox.js';
import {
  respondingWith,
  MisbehavingServer,
  type ReceivedRequest,
} from '../../../support/servers/misbehaving-server.js';
import { AlertUseCases } from './alert-use-cases.js';
import { startedOnce } from '../../../support/started-once.js';
import { localizeProblem } from '../../../../src/connector/messages/texts.js';

// Facts that were really stored, sent to a real receiver: each once, signed, tried again with an end, never as a flood.

const mailbox = startedOnce(() => Mailbox.start());
const receiver = startedOnce(() => MisbehavingServer.start());
const harness = startedOnce(() =>
  ExportsHarness.start(undefined, undefined, [AlertsModule], {
    CONNECTOR_SMTP_URL: mailbox.url,
    CONNECTOR_MAIL_FROM: 'connector@example.com',
  }),
);
let alerts: AlertUseCases;
let tenant: Tenant;
let secret: string;

beforeAll(() => {
  alerts = new AlertUseCases(harness);
});
beforeEach(async () => {
  receiver.always(respondingWith(204, ''));
  mailbox.isOpen = true;
  mailbox.mails.length = 0;
  tenant = await harness.addTenant();
  secret = (await switchOn('webhook', hook())) ?? '';
});

async function switchOn(
  channel: AlertChannel,
  address: string,
  kinds: readonly AlertKind[] = ALERT_KINDS.filter((kind) => !kind.startsWith('digest')),
): Promise<string | undefined> {
  const { version } = await alerts.reader.readSettings(tenant.installationId);
  const saved = await alerts.saveAlertSettings.saveSettings(tenant.installationId, version, {
    channel,
    address,
    kinds,
    newSecret: false,
  });
  if (saved.outcome !== 'saved') {
    throw new Error(saved.outcome);
  }
  return saved.secret;
}

const hook = () => `${receiver.url}/alerts?of=us`;
const look = () => alerts.processDueAlerts.processDue(tenant.installationId, new AbortController().signal);
const list = async () =>
  (await alerts.reader.list(tenant.installationId, undefined, 100)).map((alert) => ({
    ...alert,
    problem: alert.problem && localizeProblem('en', alert.problem),
  }));
const contentOf = ({ body }: ReceivedRequest) =>
  JSON.parse(body) as {
    readonly data: { readonly total: number; readonly alerts: readonly Record<string, string>[] };
  };
const kindsOf = (message: ReceivedRequest) => contentOf(message).data.alerts.map(({ kind }) => kind);

const plantJob = (state: string, minutesAgo = 0) => facts().job(state, minutesAgo);
const facts = () => new PlantedFacts(harness, tenant);

describe('an alert', () => {
  it.each([
    ['export-failed', 'An export has failed', 'Set the wallet account, then export again.'],
    ['export-with-errors', 'An export has ended, but 3 entries could not be exported', 'Open the issues'],
    ['deadline-near', 'An export is close to its end and not finished', 'It ends at '],
    ['authorization-needed', 'The connection to the platform needs a new authorization', 'connects the company again'],
    [
      'erp-authorization-needed',
      'The accounting system does not accept the connector any more',
      'renews the credentials at Set-up',
    ],
    ['erp-company-wanted', 'Another customer asked for your company in the accounting system', 'Nothing was changed'],
    ['subscription-disabled', 'The platform does not send messages of new exports', 'the subscription is DISABLED'],
    ['in-doubt-posting', 'It is not known whether 2 entries are in the books', 'say in the connector what you found'],
    ['sync-failed', 'Reference data could not be synchronized', 'Connect the company again.'],
  ] as const)('%s is raised once, with what to do', async (kind, title, advice) => {
    await facts().of(kind);
    await look();
    await look();
    expect(receiver.requests).toHaveLength(1);
    const [message] = receiver.requests;
    const content = message && contentOf(message);
    expect(content).toMatchObject({
      type: 'connector.alerts',
      data: {
        installationId: tenant.installationId,
        companyName: 'Example',
        link: `http://localhost:3000/app${pageFor([{ kind }])}`,
        total: 1,
        alerts: [{ kind, title, advice: expect.stringContaining(advice) }],
      },
    });
    expect(await list()).toMatchObject([{ kind, state: 'sent', problem: null }]);
  });

  it('about open issues is raised in the morning, once for the day and once for the week, and not of what is put off', async () => {
    await switchOn('webhook', hook(), ['digest-daily', 'digest-weekly']);
    const today = await facts().companyOnAnotherDay();
    await facts().issuePutOff(addDays(today, 1));
    await look();
    expect(receiver.requests).toEqual([]);
    await facts().of('in-doubt-posting');
    await look();
    await look();
    expect(receiver.requests.flatMap(kindsOf).sort()).toEqual(['digest-daily', 'digest-weekly']);
    expect(receiver.requests.flatMap((message) => contentOf(message).data.alerts.map(({ title }) => title))).toEqual([
      '2 things need you',
      '2 things need you',
    ]);
  });

  it('about refused credentials is raised once for each version of the connection', async () => {
    await facts().of('erp-authorization-needed');
    await look();
    for (const [version, requests] of [
      [3, 1],
      [4, 2],
    ] as const) {
      await harness.admin.query(
        `UPDATE erp_connection SET state = 'ok', problem = NULL, version = $2 WHERE installation_id = $1`,
        [tenant.installationId, version],
      );
      await look();
      await harness.admin.query(
        `UPDATE erp_connection SET state = 'needs-reauthorization', problem = 'no' WHERE installation_id = $1`,
        [tenant.installationId],
      );
      await look();
      expect(receiver.requests).toHaveLength(requests);
    }
  });

  it('about discrepancies is raised once a day of the company, which begins in its morning, while they wait', async () => {
    await facts().companyIn('America/New_York');
    const minuteOfDay = Math.floor(harness.clock.now().getTime() / 60_000) % (24 * 60);
    harness.clock.passMinutes(2 * 24 * 60 - minuteOfDay - 30);
    await facts().of('discrepancies-overdue');
    await look();
    harness.clock.passMinutes(60);
    await look();
    expect(receiver.requests.map(contentOf)).toMatchObject([
      {
        data: {
          alerts: [{ title: '2 discrepancies between platform and books wait for longer than 7 days' }],
        },
      },
    ]);
    harness.clock.passMinutes(12 * 60);
    await look();
    expect(receiver.requests).toHaveLength(2);
  });

  it('from before alerts were enabled is not raised', async () => {
    await plantJob('failed', 1);
    await look();
    expect(receiver.requests).toEqual([]);
    harness.clock.passMinutes(10);
    await switchOn('off', '');
    harness.clock.passMinutes(10);
    await switchOn('webhook', hook());
    await plantJob('failed', 5);
    await look();
    expect(receiver.requests).toEqual([]);
  });

  it('of a disabled kind is not sent', async () => {
    await switchOn('webhook', hook(), ['sync-failed']);
    await plantJob('failed');
    await look();
    expect(receiver.requests).toEqual([]);
  });

  it('is sent despite any number of alerts of disabled kinds', async () => {
    await switchOn('webhook', hook(), ['deadline-near']);
    for (let count = 0; count <= 200; count += 1) {
      await plantJob('failed');
    }
    await plantJob('running');
    await look();
    expect((await list()).map(({ kind }) => kind)).toEqual(['deadline-near']);
  });

  it('found by two workers at the same moment is raised once', async () => {
    await plantJob('failed');
    await Promise.all([look(), look(), look()]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('of an installation that was uninstalled is not sent', async () => {
    await plantJob('failed');
    await harness.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [tenant.installationId]);
    await look();
    expect([receiver.requests, await list()]).toEqual([[], []]);
  });
});

describe('a webhook', () => {
  it('is signed according to Standard Webhooks, with the secret that was shown once', async () => {
    await plantJob('failed');
    await look();
    const [message] = receiver.requests;
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = message?.headers ?? {};
    expect([message?.path, message?.query.get('of')]).toEqual(['/alerts', 'us']);
    expect(signature).toBe(
      new Webhook(secret).sign(String(id), new Date(Number(timestamp) * 1_000), message?.body ?? ''),
    );
    const { rows } = await harness.admin.query<{ webhook_secret: string; sealed_address: string }>(
      'SELECT webhook_secret, sealed_address FROM alert_setting WHERE installation_id = $1',
      [tenant.installationId],
    );
    expect(rows[0]?.webhook_secret).toMatch(/^v2\./);
    expect(rows[0]?.webhook_secret).not.toContain(secret);
    expect(rows[0]?.sealed_address).toMatch(/^v2\./);
  });

  it.each([
    [500, 'it answered 500'],
    [302, 'it answered 302'],
  ])('that responds with %i has not accepted the message, and no redirect is followed', async (status, problem) => {
    receiver.always(respondingWith(status, '', { location: `${receiver.url}/elsewhere` }));
    await plantJob('failed');
    await look();
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/alerts']);
    expect(await list()).toMatchObject([{ state: 'waiting', problem }]);
  });

  it('is retried with the same id after growing pauses, and then given up', async () => {
    receiver.always(respondingWith(503, ''));
    await plantJob('failed');
    const tried: number[] = [];
    for (const minutes of [0, 1, 5, 15, 60, 180, 360, 600]) {
      harness.clock.passMinutes(minutes);
      await look();
      await look();
      tried.push(receiver.requests.length);
    }
    expect(tried).toEqual([1, 2, 3, 4, 5, 6, 7, 7]);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await list()).toMatchObject([{ state: 'failed', problem: 'it answered 503' }]);
  });

  it('that does not respond keeps its message for later', async () => {
    await switchOn('webhook', `http://127.0.0.1:${(await freePort()).toString()}/nobody`);
    await plantJob('failed');
    await look();
    expect(await list()).toMatchObject([{ state: 'waiting', problem: 'it did not answer' }]);
  });
});

describe('an alert that another worker is putting into a message', () => {
  it('is not put into a second message', async () => {
    const { installationId } = tenant;
    const { admin } = harness;
    await admin.query(
      `INSERT INTO alert (installation_id, id, kind, fact, raised_at, title, advice)
       VALUES ($1, gen_random_uuid(), 'sync-failed', 'a', $2, 'title', 'advice')`,
      [installationId, harness.clock.now()],
    );
    await admin.query('BEGIN');
    await admin.query(
      `WITH message AS (
         INSERT INTO alert_message (installation_id, id, created_at, next_try_at) VALUES ($1, gen_random_uuid(), $2, $2)
         RETURNING id)
       UPDATE alert SET message_id = message.id FROM message WHERE installation_id = $1`,
      [installationId, harness.clock.now()],
    );
    const looking = look();
    for (let isBlocked = false; !isBlocked;) {
      const { rows } = await admin.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      isBlocked = rows.length > 0;
    }
    await admin.query('COMMIT');
    await looking;
    expect(receiver.requests.map((message) => contentOf(message).data.total)).toEqual([1]);
  });
});

describe('a flood of alerts', () => {
  it('becomes twelve messages an hour, the last of which sums up the rest', async () => {
    for (let index = 0; index < 30; index += 1) {
      await plantJob('failed');
    }
    await look();
    expect(receiver.requests.map((message) => contentOf(message).data.total)).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 19,
    ]);
    await plantJob('failed');
    await plantJob('failed');
    await look();
    expect(receiver.requests).toHaveLength(12);
    harness.clock.passMinutes(61);
    await Promise.all([look(), look(), look()]);
    expect(receiver.requests.slice(12).map(kindsOf)).toEqual([['export-failed'], ['export-failed']]);
  });
});

describe('a mail', () => {
  it('is sent once to the address, with what to do', async () => {
    await switchOn('mail', 'books@example.com');
    await plantJob('failed');
    await look();
    await look();
    expect(mailbox.mails.map(({ to }) => to)).toEqual([['books@example.com']]);
    const [mail] = mailbox.mails;
    expect(mail?.text).toContain('Subject: Example: An export has failed');
    expect(mail?.text).toContain('From: connector@example.com');
    expect(mail?.text).toContain('Set the wallet account, then export again.');
    expect(mail?.text).toMatch(/To the page: http:\/\/localhost:3000\/app\/issues\r?\n/);
    expect(receiver.requests).toEqual([]);
  });

  it('that the server refuses is retried', async () => {
    await switchOn('mail', 'books@example.com');
    mailbox.isOpen = false;
    await plantJob('failed');
    await look();
    expect(await list()).toMatchObject([{ state: 'waiting', problem: 'the mail server did not take the mail' }]);
    mailbox.isOpen = true;
    harness.clock.passMinutes(1);
    await look();
    expect(mailbox.mails).toHaveLength(1);
    expect(await list()).toMatchObject([{ state: 'sent' }]);
  });

  it('has no injected header in its subject, for any company name', async () => {
    await harness.admin.query(`UPDATE installation SET company_name = $2 WHERE id = $1`, [
      tenant.installationId,
      'Evil\r\nBcc: others@example.com\r\n\r\nbody',
    ]);
    await switchOn('mail', 'books@example.com');
    await plantJob('failed');
    await look();
    expect(mailbox.mails.map(({ to }) => to)).toEqual([['books@example.com']]);
    expect(mailbox.mails[0]?.text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m);
  });
});

describe('the next installation to alert', () => {
  it('is every installation with recipients, once a minute', async () => {
    const due = async () => {
      const { rows } = await harness.admin.query<{ due: boolean }>(
        'SELECT next_check_at <= now() AS due FROM alert_setting WHERE installation_id = $1',
        [tenant.installationId],
      );
      return rows[0]?.due;
    };
    expect(await due()).toBe(true);
    await alerts.wakeAlerts.wake();
    expect(await due()).toBe(false);
    const { rows } = await harness.admin.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'raise-alerts' AND singleton_key = $1`,
      [tenant.installationId],
    );
    expect(rows[0]?.count).toBe(1);
  });
});
