import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { INTENT_TRANSITIONS, type IntentState } from '../../../../../src/connector/exports/domain/intent-states.js';
import { ExportsHarness, type Tenant } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

// What the schema itself keeps of intents and of what people say about them.

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeAll(async () => {
  tenant = await exports.addTenant();
});

const STATES = Object.keys(INTENT_TRANSITIONS) as IntentState[];
const isInErp = (state: IntentState) => state === 'posted' || state === 'reversed';

async function addIntent(state: IntentState): Promise<string> {
  const job = await exports.addJob(tenant, []);
  const id = randomUUID();
  await exports.admin.query(
    `INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
       content_digest, fence, state, external_id, created_at)
     VALUES ($1, 'erp-company', $2, $3, 1, 'digest', 1, $4, $5, now())`,
    [tenant.installationId, id, job.id, state, isInErp(state) ? 'J-1' : null],
  );
  return id;
}

/** @returns the name of the constraint that refused, or "allowed" */
async function outcomeOf(statement: string, values: readonly unknown[]): Promise<string> {
  try {
    await exports.admin.query(statement, [...values]);
    return 'allowed';
  } catch (error) {
    return String(Reflect.get(Object(error), 'constraint') ?? error);
  }
}

const change = (id: string, set: string) =>
  outcomeOf(`UPDATE posting_intent SET ${set} WHERE accounting_entry_id = $1`, [id]);

describe('a posting intent', () => {
  it.each(STATES)('that is %s changes only along the edges in the code', async (from) => {
    const outcomes: Record<string, boolean> = {};
    for (const to of STATES) {
      const id = await addIntent(from);
      const externalId = isInErp(to) ? `'J-1'` : 'NULL';
      const again = to === 'sent' ? `, sent_at = sent_at + interval '1 second'` : '';
      const outcome = await change(id, `state = '${to}', external_id = ${externalId}${again}`);
      outcomes[to] = outcome === 'allowed';
    }
    const stays = (to: IntentState) => to === from && to !== 'sent' && to !== 'reversed';
    expect(outcomes).toEqual(
      Object.fromEntries(STATES.map((to) => [to, INTENT_TRANSITIONS[from].includes(to) || stays(to)])),
    );
  });

  it('that is reversed because the ERP has lost it may become posted again unchanged, and no other one may', async () => {
    const LOST = `state = 'reversed', lost_at = now()`;
    const FOUND = `state = 'posted', lost_at = NULL`;
    for (const state of ['posted', 'reversed'] as const) {
      const id = await addIntent(state);
      expect(await change(id, LOST)).toBe('allowed');
      expect(await change(id, `${FOUND}, content_digest = 'other'`)).toBe('posting_intent_posted_is_final_ck');
      expect(await change(id, `state = 'posted'`)).not.toBe('allowed');
      expect(await change(id, FOUND)).toBe('allowed');
    }
    expect(await change(await addIntent('reversed'), FOUND)).toBe('posting_intent_posted_is_final_ck');
    expect(await change(await addIntent('posted'), 'lost_at = now()')).toBe('posting_intent_lost_ck');
    expect(await change(await addIntent('rejected'), 'lost_at = now()')).toBe('posting_intent_lost_ck');
  });

  it.each(['sent', 'uncertain'] as const)('that is %s cannot be sent again', async (state) => {
    const id = await addIntent(state);
    expect(await change(id, `state = 'sent', sent_at = now() + interval '1 second'`)).toBe('posting_intent_resend_ck');
    expect(await change(id, `state = 'rejected'`)).toBe('allowed');
    expect(await change(id, `state = 'sent', sent_at = now() + interval '1 second'`)).toBe('allowed');
  });

  it.each([
    ['sent', 'posting_intent_late_effect_ck'],
    ['uncertain', 'posting_intent_late_effect_ck'],
    ['rejected', 'posting_intent_late_effect_ck'],
    ['posted', 'posting_intent_posted_is_final_ck'],
  ] as const)('that is %s has no late effect: %s', async (state, constraint) => {
    expect(await change(await addIntent(state), 'late_effect = true')).toBe(constraint);
  });

  it('may have a late effect when it becomes posted', async () => {
    const id = await addIntent('uncertain');
    expect(await change(id, `state = 'posted', external_id = 'J-1', late_effect = true`)).toBe('allowed');
  });
});

describe('a manual resolution of an intent', () => {
  let id: string;

  beforeEach(async () => {
    id = await addIntent('uncertain');
  });

  const say = (columns: Readonly<Record<string, unknown>>) => {
    const row = {
      installation_id: tenant.installationId,
      erp_company_id: 'erp-company',
      accounting_entry_id: id,
      revision: 1,
      sent_at: '2026-02-10T12:00:00Z',
      outcome: 'not-in-the-books',
      resolved_by: 'Ann',
      resolved_at: '2026-02-10T13:00:00Z',
      ...columns,
    };
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${(index + 1).toString()}`);
    return outcomeOf(
      `INSERT INTO posting_resolution (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
  };

  it.each([
    [{}, 'allowed'],
    [{ outcome: 'in-the-books', external_id: 'J-1' }, 'allowed'],
    [{ outcome: 'in-the-books', external_id: 'J-1', external_url: 'https://erp/1' }, 'allowed'],
    [{ outcome: 'in-the-books' }, 'posting_resolution_external_ck'],
    [{ external_id: 'J-1' }, 'posting_resolution_external_ck'],
    [{ external_url: 'https://erp/1' }, 'posting_resolution_external_ck'],
    [{ outcome: 'perhaps' }, 'posting_resolution_outcome_ck'],
    [{ erp_company_id: 'other' }, 'posting_resolution_intent_fk'],
    [{ revision: 2 }, 'posting_resolution_intent_fk'],
    [{ accounting_entry_id: randomUUID() }, 'posting_resolution_intent_fk'],
  ])('with %j is %s', async (columns, outcome) => {
    expect(await say(columns)).toBe(outcome);
  });

  it('exists once for each request sent', async () => {
    expect(await say({})).toBe('allowed');
    expect(await say({})).toBe('posting_resolution_sent_at_pk');
    expect(await say({ sent_at: '2026-02-11T12:00:00Z' })).toBe('allowed');
  });

  it('has the installation of the intent', async () => {
    const other = await exports.addTenant();
    expect(await say({ installation_id: other.installationId })).toBe('posting_resolution_intent_fk');
  });

  it('cannot be changed or deleted by the application', async () => {
    await say({});
    for (const statement of [`UPDATE posting_resolution SET note = 'x'`, 'DELETE FROM posting_resolution']) {
      await exports.admin.query('BEGIN');
      try {
        await exports.admin.query('SET LOCAL ROLE connector_app');
        await expect(exports.admin.query(statement)).rejects.toThrow('permission denied');
      } finally {
        await exports.admin.query('ROLLBACK');
      }
    }
  });
});
