import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { purchase } from '../exports/exports-harness.js';
import { seedTenant } from '../isolation/seed-tenant.js';
import type { SeededIds } from '../isolation/seeded-rows.js';
import { ReviewHarness, type ReviewTenant } from '../review/review-harness.js';
import { jobCreated } from '../webhooks/webhook-sender.js';
import { aTime, aToken, seen, type Call } from './audited-action.js';
import { MAPPING_ACTIONS } from './mapping-actions.js';
import { OTHER_ACTIONS } from './other-actions.js';
import { startedOnce } from '../../../support/started-once.js';

// What people do over HTTP, and every entry that it leaves in the audit log.

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;
let seededIds: SeededIds;

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  tenant = await harness.addTenant();
  seededIds = await seedTenant(harness, tenant);
});

interface Entry {
  readonly position: number;
  readonly actor: string;
  readonly requestId: string | null;
  readonly object: string;
  readonly objectId: string;
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

async function send({ method, path, body, headers = {}, token = tenant.tokens.admin }: Call) {
  const answer = await harness.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { payload: body }),
  });
  return { status: answer.statusCode, requestId: String(answer.headers['x-request-id']), body: answer.body };
}

/** Straight from the table: an uninstalled installation has no caller any more. */
async function entriesAfter(position: number): Promise<readonly Entry[]> {
  const { rows } = await harness.admin.query<Entry>(
    `SELECT position::int, actor, request_id AS "requestId", object, object_id AS "objectId", action, before, after
     FROM audit_entry WHERE installation_id = $1 AND position > $2 ORDER BY audit_entry.position`,
    [tenant.installationId, position],
  );
  return rows;
}

const last = async () => (await entriesAfter(0)).length;

const rule = { subject: 'account', source: '404', target: '6110' };

describe('an action of an admin', () => {
  it.each([...MAPPING_ACTIONS, ...OTHER_ACTIONS])('%s', async (_, callOf, expectedOf) => {
    const before = await last();
    const answer = await send(callOf({ tenant, ids: seededIds }));
    expect(answer.status < 300 ? 'done' : answer.body).toBe('done');
    const written = await entriesAfter(before);
    const rows = written.map((entry) => [entry.object, entry.objectId, entry.action, entry.before, entry.after]);
    const expected = expectedOf({ tenant, ids: seededIds });
    expect(rows).toHaveLength(expected.length);
    // Removed rows come in no order.
    expect(rows).toEqual(expect.arrayContaining([...expected]));
    for (const { actor, requestId } of written) {
      expect({ actor, requestId }).toEqual({ actor: aToken, requestId: answer.requestId });
    }
  });
});

describe('the log also has', () => {
  it('actions of the operator, under that name', async () => {
    const before = await last();
    await send({
      method: 'POST',
      path: `/operator/installations/${tenant.installationId}/api-tokens`,
      token: OPERATOR_TOKEN,
      body: { role: 'admin', label: 'first', days: 1 },
    });
    expect(await entriesAfter(before)).toMatchObject([
      { actor: 'operator', object: 'api_token', action: 'created', after: { role: 'admin', label: 'first' } },
    ]);
  });

  it('the acceptance of a message that was quarantined', async () => {
    const id = randomUUID();
    await harness.admin.query(
      `INSERT INTO quarantined_notification (installation_id, id, webhook_id, reason, detail, body, body_digest, body_bytes,
         body_kept_until, received_at, last_received_at)
       VALUES ($1, $2, 'msg_aside', 'company-not-mapped', 'x', $3, '', 1, '2099-01-01', now(), now())`,
      [tenant.installationId, id, jobCreated(tenant.companyId)],
    );
    const before = await last();
    await send({ method: 'POST', path: `/notifications/quarantine.${id}/replay` });
    expect(await entriesAfter(before)).toMatchObject([
      {
        object: 'quarantined_notification',
        objectId: id,
        before: { ingested_at: null },
        after: { ingested_at: aTime },
      },
    ]);
  });

  it('the whole life of a job, step by step', async () => {
    const before = await last();
    const job = await harness.export(tenant, [purchase(tenant.companyId)]);
    const written = (await entriesAfter(before)).filter(({ object }) => object === 'export_job');
    expect(written.map(({ objectId }) => objectId)).toEqual(written.map(() => job.id));
    expect(written.map((entry) => [entry.actor, entry.before, entry.after])).toEqual([
      [
        'system detect',
        null,
        {
          state: 'detected',
          number_of_items: 1,
          mapping_version: null,
          erp_company_id: null,
          failure_type: null,
        },
      ],
      [
        expect.stringMatching(/^system /),
        { state: 'detected', mapping_version: null, erp_company_id: null },
        {
          state: 'running',
          mapping_version: Number(seededIds.mappingVersion),
          erp_company_id: `erp-${tenant.installationId}`,
        },
      ],
      [expect.stringMatching(/^system /), { state: 'running' }, { state: 'verdict_decided' }],
      [expect.stringMatching(/^system /), { state: 'verdict_decided' }, { state: 'completed' }],
    ]);
  });

  it('the commit of a preview', async () => {
    const job = await harness.export(tenant, [purchase(tenant.companyId, { account: '404' })]);
    await send({
      method: 'POST',
      path: '/mapping/rules',
      headers: seen({ tenant, ids: seededIds }),
      body: rule,
    });
    const { body } = await send({ method: 'POST', path: '/previews', body: { jobId: job.id } });
    const { id, digest } = JSON.parse(body) as { readonly id: string; readonly digest: string };
    const before = await last();
    expect((await send({ method: 'POST', path: `/previews/${id}/commit`, body: { digest } })).status).toBe(202);
    expect(await entriesAfter(before)).toMatchObject([
      {
        actor: aToken,
        object: 'reexport',
        action: 'created',
        after: { preview_id: id, requested_by: aToken },
      },
    ]);
  });
});

describe('the list of entries', () => {
  const list = async (query: string) => {
    const { body } = await send({ method: 'GET', path: `/audit?${query}` });
    return JSON.parse(body) as { readonly data: readonly Entry[]; readonly nextCursor: string | null };
  };

  it('is paged, newest first, without gaps', async () => {
    const positions: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(`limit=7${cursor === '' ? '' : `&after=${cursor}`}`);
      positions.push(...page.data.map(({ position }) => position));
      cursor = page.nextCursor;
    }
    expect(positions).toEqual(Array.from({ length: await last() }, (_, index) => positions.length - index));
  });

  it.each([
    ['object=api_token', () => ['api_token', 'api_token', 'api_token', 'api_token']],
    ['objectId=nothing', () => []],
    ['actor=operator', () => ['api_token', 'api_token', 'api_token']],
    ['from=2099-01-01T00:00:00Z', () => []],
    ['to=2020-01-01T00:00:00Z', () => []],
    ['object=installation&from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00.000Z', () => ['installation']],
  ])('is filtered by ?%s', async (query, expected) => {
    expect((await list(query)).data.map(({ object }) => object)).toEqual(expected());
  });

  it('is filtered by one object', async () => {
    const { data } = await list(`object=api_token&objectId=${seededIds.apiTokenId}`);
    expect(data).toMatchObject([{ object: 'api_token', objectId: seededIds.apiTokenId, action: 'created' }]);
  });

  it.each([
    'object=X',
    'from=yesterday',
    'from=2026-02-30T00:00:00Z',
    'to=2026-01-01T00:00:00%2B01:00',
    'after=x',
    'limit=1001',
    'x=1',
  ])('refuses ?%s', async (query) => {
    expect((await send({ method: 'GET', path: `/audit?${query}` })).status).toBe(400);
  });
});
