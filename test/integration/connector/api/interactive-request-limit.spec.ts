import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// People and scripts of one installation together may have the platform asked so often in a minute, and no more.

const LIMIT = 30;

const harness = startedOnce(() => ConnectHarness.start({ CONNECTOR_QUESTIONS_PER_MINUTE: LIMIT.toString() }));

it('a flood of viewers is refused, other installations are not affected', async () => {
  const company = harness.platform.addCompany();
  const id = await harness.connect(companyUrn(company.id));
  const viewers = [await harness.token(id, 'viewer'), await harness.token(id, 'viewer')];
  const askAs = (token: string | undefined, url: string) =>
    harness.call('GET', `/api/v1/${url}`, { token: token ?? '' });
  harness.platform.seen.length = 0;
  const companies = `reference-data/companies?organizationId=${company.organizationId}`;
  const answers = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, index) => askAs(viewers[index % 2], companies)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(LIMIT);
  expect(harness.platform.calls()).toHaveLength(LIMIT);

  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({ type: 'urn:problem:too-many-requests' });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await askAs(viewers[0], `entries/${randomUUID()}/explanation`)).status).toBe(429);
  expect((await askAs(viewers[0], 'jobs')).status).toBe(200);

  const other = harness.platform.addCompany();
  const otherId = await harness.connect(companyUrn(other.id));
  const theirs = `reference-data/companies?organizationId=${other.organizationId}`;
  expect((await askAs(await harness.token(otherId, 'viewer'), theirs)).status).toBe(200);
});
