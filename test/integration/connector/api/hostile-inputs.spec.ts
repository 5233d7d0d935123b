import { beforeAll, describe, expect, it } from '@jest/globals';
import { storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { sendAll } from './bounded-work.js';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { chance, junk } from './hostile-text.js';
import { jobCreated, signedBy } from '../webhooks/webhook-sender.js';
import { startedOnce } from '../../../support/started-once.js';

// A thousand hostile inputs at each public door: nothing breaks, nothing takes long, nothing changes (G16,
// I8).

const harness = startedOnce(() => ConnectHarness.start());
let mine: StoredInstallation;

beforeAll(async () => {
  harness.platform.resource = companyUrn(harness.platform.addCompany().id);
  mine = await storeInstallation(harness.connector);
});

/** Everything that the doors can change. */
async function business(): Promise<unknown> {
  return harness.row(
    `SELECT (SELECT count(*)::int FROM installation) AS installations, (SELECT count(*)::int FROM notification) AS inbox,
       (SELECT count(*)::int FROM quarantined_notification) AS aside, (SELECT max(version) FROM credential) AS credential`,
  );
}

const harmless = () => harness.call('GET', '/style.css');

/** Header values as they can be sent at all. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').trim();

describe('a thousand hostile inputs', () => {
  it('at the webhook endpoint are refused, and change nothing', async () => {
    const before = await business();
    const answers = await sendAll(async (index) => {
      const next = chance(index);
      const { headers, body } = signedBy(mine, jobCreated(mine.companyId), `msg_${index.toString()}`);
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const bent = names[next(names.length)] ?? '';
      const at = next(body.length);
      const bitten = Buffer.from(body);
      bitten[at] = (bitten[at] ?? 0) ^ (1 + next(255));
      const answer = await harness.connector.app.inject({
        method: 'POST',
        url: `/webhooks/${mine.endpointToken}`,
        headers: next(2) === 0 ? { ...headers, [bent]: headerText(junk(next)) } : headers,
        payload: next(2) === 0 ? Buffer.from(junk(next)) : bitten,
      });
      return answer.statusCode;
    }, harmless);
    expect(new Set(answers)).toEqual(new Set([401]));
    expect(await business()).toEqual(before);
  });

  it('at the callback are refused, and change nothing', async () => {
    const before = await business();
    const { state, cookie } = await harness.begin();
    const answers = await sendAll(async (index) => {
      const next = chance(index);
      const names = ['code', 'state', 'error', 'iss', 'session_state', 'state[]', 'error_description'];
      const query = Array.from(
        { length: 1 + next(4) },
        () => `${names[next(names.length)] ?? ''}=${encodeURI(junk(next))}`,
      );
      const real = next(3) === 0 ? [`state=${state}x`] : [];
      const path = next(4) === 0 ? '/oauth/company' : '/oauth/callback';
      const answer = await harness.connector.app.inject({
        method: 'GET',
        url: `${path}?${[...query, ...real].join('&')}`,
        headers: next(2) === 0 ? { cookie } : { cookie: headerText(junk(next)) },
      });
      return answer.statusCode;
    }, harmless);
    expect(answers.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(harness.platform.calls()).not.toContain('POST /oauth/token');
    expect(await business()).toEqual(before);
  });
});
