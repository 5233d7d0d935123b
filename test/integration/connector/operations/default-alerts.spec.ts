import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ALERT_KINDS } from '../../../../src/connector/alerts/domain/alert.js';
import { ProcessDueAlerts } from '../../../../src/connector/alerts/process-due-alerts.js';
import { InstallationRepository } from '../../../../src/connector/installations/installation.repository.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { Mailbox } from '../../../support/servers/mailbox.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { signIn } from '../access/visitor.js';

// Who is notified before an admin has chosen: the first admin, where the platform says the address and mail can be sent.

const ADA = { sub: 'subject-of-ada', username: 'Ada Berg', email: 'ada@example.com' };
const MAIL = {
  channel: 'mail',
  address: ADA.email,
  kinds: ALERT_KINDS.filter((kind) => !kind.startsWith('digest')),
  version: 1,
  canSendMail: true,
};

const mailbox = startedOnce(() => Mailbox.start());
const harness = startedOnce(() =>
  ConnectHarness.start({ CONNECTOR_SMTP_URL: mailbox.url, CONNECTOR_MAIL_FROM: 'connector@example.com' }),
);
const withoutMail = startedOnce(() => ConnectHarness.start());

beforeEach(() => {
  mailbox.mails.length = 0;
});

/** A company that was just connected. */
async function connected(by: ConnectHarness, person: ConnectHarness['platform']['person']) {
  by.platform.person = person;
  const company = by.platform.addCompany({ name: `Company ${randomUUID()}` });
  const id = await by.connect(companyUrn(company.id));
  const token = await by.token(id);
  const settings = async () => (await by.call('GET', '/api/v1/alert-settings', { token })).json;
  const step = async () => {
    const { json } = await by.call('GET', '/api/v1/setup', { token });
    return (at(json, 'steps') as readonly { check: string; state: string }[]).find(({ check }) => check === 'alerts');
  };
  return { id, company, token, settings, step };
}

describe('default alerts', () => {
  it('are mailed to the person who connected the company', async () => {
    const { settings, step } = await connected(harness, ADA);
    expect(await settings()).toEqual(MAIL);
    expect(await step()).toMatchObject({ state: 'done', detail: 'What needs a person is sent by mail.' });
  });

  it.each([
    ['the platform says no address', { sub: ADA.sub, username: ADA.username }],
    ['the platform says something else', { ...ADA, email: 'Ada Berg' }],
  ])('are not sent where %s, and the set-up reports that', async (_, person) => {
    const { settings, step } = await connected(harness, person);
    expect(await settings()).toMatchObject({ channel: 'off', version: 0 });
    expect(await step()).toMatchObject({ state: 'open', resolvedBy: 'PUT /api/v1/alert-settings' });
  });

  it('are not sent where no mail can be sent, and no address is kept', async () => {
    const { id, settings } = await connected(withoutMail, ADA);
    expect(await settings()).toMatchObject({ channel: 'off' });
    expect(await withoutMail.row('SELECT mail FROM member WHERE installation_id = $1', id)).toEqual({ mail: null });
  });

  it('begin with the first sign-in that provides the address, and keep the settings of an admin', async () => {
    const { company, token, settings, step } = await connected(harness, { sub: ADA.sub });
    await signIn(harness, companyUrn(company.id), ADA);
    expect(await settings()).toEqual(MAIL);
    const off = { channel: 'off', kinds: [] };
    await harness.call('PUT', '/api/v1/alert-settings', { token, body: off, headers: { 'if-match': '"1"' } });
    await signIn(harness, companyUrn(company.id), ADA);
    expect(await settings()).toMatchObject({ channel: 'off', version: 2 });
    expect(await step()).toMatchObject({ state: 'done', detail: expect.stringContaining('it was decided so') });
  });

  it('are not sent to a viewer, and end when the person is removed', async () => {
    const { id, company, token } = await connected(harness, { sub: ADA.sub });
    const bo = { sub: 'subject-of-bo', username: 'Bo', email: 'bo@example.com' };
    await signIn(harness, companyUrn(company.id), bo);
    expect(await harness.row('SELECT count(*)::int FROM alert_setting WHERE installation_id = $1', id)).toEqual({
      count: 0,
    });
    const { json } = await harness.call('GET', '/api/v1/members', { token });
    const member = (at(json, 'data') as readonly { id: string; subject: string }[]).find(
      ({ subject }) => subject === bo.sub,
    );
    await harness.call('DELETE', `/api/v1/members/${member?.id ?? ''}`, { token });
    expect(
      await harness.row('SELECT mail FROM member WHERE installation_id = $1 AND subject = $2', id, bo.sub),
    ).toEqual({
      mail: null,
    });
  });

  it('are sent at once when the platform has revoked the access, in the reader’s language', async () => {
    const { id, token } = await connected(harness, ADA);
    const installations = harness.get(InstallationRepository);
    await harness.admin.query(`UPDATE alert_setting SET next_check_at = 'infinity' WHERE installation_id = $1`, [id]);
    await harness
      .get(TenantDatabase)
      .inInstallation('lose access', toInstallationId(id), (tx) =>
        installations.markNeedsReauthorization(tx, toInstallationId(id)),
      );
    const due = 'SELECT next_check_at <= clock_timestamp() AS due FROM alert_setting WHERE installation_id = $1';
    expect(await harness.row(due, id)).toEqual({ due: true });
    await harness.get(ProcessDueAlerts).processDue(toInstallationId(id), new AbortController().signal);
    expect(mailbox.mails).toMatchObject([
      { to: [ADA.email], text: expect.stringContaining('needs a new authorization') },
    ]);
    const { json, headers } = await harness.call('GET', '/api/v1/alerts', {
      token,
      headers: { 'accept-language': 'de-AT, en;q=0.5' },
    });
    expect([headers['content-language'], headers['vary']]).toEqual(['de', expect.stringContaining('Accept-Language')]);
    expect(json).toMatchObject({
      data: [
        {
          title: 'The connection to the platform needs a new authorization',
          message: {
            code: 'alert.authorization-needed',
            text: 'Die Verbindung zur Plattform braucht eine neue Freigabe',
          },
        },
      ],
    });
  });
});
