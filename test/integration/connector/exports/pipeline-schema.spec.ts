import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  ITEM_TRANSITIONS,
  JOB_TRANSITIONS,
  type ExportItemState,
  type ExportJobState,
} from '../../../../src/connector/exports/domain/state-transitions.js';
import { ExportsHarness, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeAll(async () => {
  tenant = await exports.addTenant();
});

const STATES = Object.keys(JOB_TRANSITIONS) as ExportJobState[];

async function insertJob(state: ExportJobState = 'detected', owner = tenant): Promise<string> {
  const id = randomUUID();
  await exports.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, $4, 1, false, now(), now(), now(), now())`,
    [owner.installationId, id, owner.companyId, state],
  );
  return id;
}

async function insertItem(jobId: string, columns: Readonly<Record<string, unknown>>, owner = tenant) {
  const values = {
    installation_id: owner.installationId,
    export_job_id: jobId,
    accounting_entry_id: randomUUID(),
    position: 1,
    state: 'pending',
    ...columns,
  };
  await insert('export_item', values);
}

async function insertIntent(jobId: string, columns: Readonly<Record<string, unknown>> = {}, owner = tenant) {
  const values = {
    installation_id: owner.installationId,
    erp_company_id: 'erp-company',
    accounting_entry_id: randomUUID(),
    export_job_id: jobId,
    mapping_version: 1,
    content_digest: 'digest',
    fence: 1,
    state: 'sent',
    created_at: '2026-02-10T12:00:00Z',
    ...columns,
  };
  await insert('posting_intent', values);
  return values.accounting_entry_id;
}

async function insertMessage(jobId: string, kind: string, seq: number, owner = tenant) {
  const values = {
    installation_id: owner.installationId,
    export_job_id: jobId,
    seq,
    kind,
    body: '{}',
    created_at: '2026-02-10T12:00:00Z',
  };
  await insert('outbox', values);
}

async function insert(table: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(values);
  const places = names.map((_, index) => `$${(index + 1).toString()}`);
  await exports.admin.query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(values),
  );
}

/** @returns the name of the constraint that refused, or "allowed" */
async function outcomeOf(change: Promise<unknown>): Promise<string> {
  try {
    await change;
    return 'allowed';
  } catch (error) {
    const constraint: unknown = error instanceof Error ? Reflect.get(error, 'constraint') : undefined;
    return typeof constraint === 'string' ? constraint : String(error);
  }
}

async function update(table: string, set: string, where: string, id: string): Promise<void> {
  await exports.admin.query(`UPDATE ${table} SET ${set} WHERE ${where} = $1`, [id]);
}

describe('an export job', () => {
  it.each(STATES)('in the state %s changes only along the edges in the code', async (from) => {
    const outcomes: Record<string, string> = {};
    for (const to of STATES) {
      const id = await insertJob(from);
      outcomes[to] = await outcomeOf(update('export_job', `state = '${to}', version = version + 1`, 'id', id));
    }
    const allowed = (to: ExportJobState) => to === from || JOB_TRANSITIONS[from].includes(to);
    expect(outcomes).toEqual(
      Object.fromEntries(STATES.map((to) => [to, allowed(to) ? 'allowed' : 'export_job_transition_ck'])),
    );
  });

  it.each([0, 2, -1])('cannot change with a version that grows by %d', async (step) => {
    const id = await insertJob();
    const change = update('export_job', `attempts = 1, version = version + (${step.toString()})`, 'id', id);
    expect(await outcomeOf(change)).toBe('export_job_version_ck');
  });
});

describe('a posting intent', () => {
  it('that is posted never changes again', async () => {
    const id = await insertIntent(await insertJob(), { state: 'posted', external_id: 'J-1' });
    for (const set of [
      `state = 'rejected', external_id = NULL`,
      `state = 'sent'`,
      `state = 'uncertain'`,
      `external_id = 'J-2'`,
      `content_digest = 'x'`,
    ]) {
      expect(await outcomeOf(update('posting_intent', set, 'accounting_entry_id', id))).toBe(
        'posting_intent_posted_is_final_ck',
      );
    }
  });

  const setTo = (id: string, set: string) => update('posting_intent', set, 'accounting_entry_id', id);

  it('that is posted becomes reversed, and then never changes again', async () => {
    const id = await insertIntent(await insertJob(), { state: 'posted', external_id: 'J-1' });
    expect(await outcomeOf(setTo(id, `reversal_sent_at = now()`))).toBe('allowed');
    expect(await outcomeOf(setTo(id, `reversal_sent_at = NULL`))).toBe('allowed');
    expect(await outcomeOf(setTo(id, `state = 'reversed'`))).toBe('allowed');
    for (const set of [
      `state = 'posted'`,
      `state = 'sent', external_id = NULL`,
      `reversal_sent_at = now()`,
      `content_digest = 'x'`,
    ]) {
      expect(await outcomeOf(setTo(id, set))).toBe('posting_intent_posted_is_final_ck');
    }
  });

  it.each([
    `external_id = 'J-2'`,
    `content_digest = 'x'`,
    `plan_chunk_id = gen_random_uuid()`,
    'revision = 2',
    'fence = 9',
  ])('that becomes reversed cannot change anything else: %s', async (set) => {
    const id = await insertIntent(await insertJob(), { state: 'posted', external_id: 'J-1' });
    for (const also of [`state = 'reversed', ${set}`, `reversal_sent_at = now(), ${set}`]) {
      expect(await outcomeOf(setTo(id, also))).toMatch(/^posting_intent_(posted_is_final|revision)_ck$/);
    }
  });

  it.each(['sent', 'uncertain', 'rejected'])('that is %s cannot become reversed', async (state) => {
    const id = await insertIntent(await insertJob(), { state });
    expect(await outcomeOf(setTo(id, `state = 'reversed', external_id = 'J-1'`))).toBe(
      'posting_intent_reversed_from_posted_ck',
    );
  });

  it.each(['sent', 'uncertain', 'posted', 'rejected'])(
    'that is %s cannot be followed by another revision',
    async (state) => {
      const posted = state === 'posted' ? { external_id: 'J-1' } : {};
      const id = await insertIntent(await insertJob(), { state, ...posted });
      for (const next of ['sent', 'posted', 'reversed']) {
        const columns = { state: next, ...(next === 'sent' ? {} : { external_id: 'J-2' }) };
        const second = insertIntent(await insertJob(), { accounting_entry_id: id, revision: 2, ...columns });
        expect(await outcomeOf(second)).toBe('posting_intent_revision_ck');
      }
    },
  );

  it('that is reversed is followed by the next revision and no other', async () => {
    const id = await insertIntent(await insertJob(), { state: 'posted', external_id: 'J-1' });
    await setTo(id, `state = 'reversed'`);
    const follow = async (revision: number) =>
      outcomeOf(insertIntent(await insertJob(), { accounting_entry_id: id, revision }));
    expect(await follow(3)).toBe('posting_intent_revision_ck');
    expect(await follow(2)).toBe('allowed');
    expect(await follow(3)).toBe('posting_intent_revision_ck');
  });

  it.each([
    ['another entry', {}],
    ['another ERP company', { erp_company_id: 'other' }],
  ])('of %s cannot be followed by a revision', async (_, columns) => {
    const reversed = { state: 'reversed', external_id: 'J-1' };
    const id = await insertIntent(await insertJob(), reversed);
    const follower = 'erp_company_id' in columns ? { accounting_entry_id: id, ...columns } : columns;
    const second = insertIntent(await insertJob(), { revision: 2, ...follower });
    expect(await outcomeOf(second)).toBe('posting_intent_revision_ck');
  });

  it('of another installation cannot be followed by a revision', async () => {
    const other = await exports.addTenant();
    const reversed = { state: 'reversed', external_id: 'J-1' };
    const id = await insertIntent(await insertJob('detected', other), reversed, other);
    const second = insertIntent(await insertJob(), { accounting_entry_id: id, revision: 2 });
    expect(await outcomeOf(second)).toBe('posting_intent_revision_ck');
  });

  it.each([0, -1, 2])('cannot begin with revision %d', async (revision) => {
    expect(await outcomeOf(insertIntent(await insertJob(), { revision }))).toBe('posting_intent_revision_ck');
  });

  it('cannot become a later revision by an update', async () => {
    const id = await insertIntent(await insertJob());
    expect(await outcomeOf(setTo(id, 'revision = 2'))).toBe('posting_intent_revision_ck');
  });

  it.each(['sent', 'uncertain', 'rejected'])('that is %s may still become posted', async (state) => {
    const id = await insertIntent(await insertJob(), { state });
    const change = update('posting_intent', `state = 'posted', external_id = 'J-1'`, 'accounting_entry_id', id);
    expect(await outcomeOf(change)).toBe('allowed');
  });

  it('exists once per accounting entry and ERP company, whatever the job', async () => {
    const id = await insertIntent(await insertJob());
    const again = insertIntent(await insertJob(), { accounting_entry_id: id });
    expect(await outcomeOf(again)).toBe('posting_intent_accounting_entry_id_pk');
  });

  it.each([
    [{ state: 'posted' }, 'posting_intent_posted_ck'],
    [{ state: 'sent', external_id: 'J-1' }, 'posting_intent_posted_ck'],
    [{ state: 'reversed' }, 'posting_intent_posted_ck'],
    [{ state: 'sent', reversal_sent_at: '2026-02-10T12:00:00Z' }, 'posting_intent_reversal_ck'],
    [{ state: 'maybe' }, 'posting_intent_state_ck'],
    [{ mapping_version: 99 }, 'posting_intent_mapping_version_fk'],
  ])('with %j is refused', async (columns, constraint) => {
    expect(await outcomeOf(insertIntent(await insertJob(), columns))).toBe(constraint);
  });
});

describe('an export item', () => {
  const failed = { state: 'failed', failure_type: 'validation_failure', failure_reason: 'wrong' };
  it.each([
    [{}, 'allowed'],
    [{ state: 'successful', external_id: 'J-1' }, 'allowed'],
    [failed, 'allowed'],
    [{ state: 'done' }, 'export_item_state_ck'],
    [{ state: 'successful' }, 'export_item_success_ck'],
    [{ state: 'pending', external_id: 'J-1' }, 'export_item_success_ck'],
    [{ ...failed, external_id: 'J-1' }, 'export_item_success_ck'],
    [{ ...failed, failure_reason: null }, 'export_item_failure_ck'],
    [{ ...failed, failure_type: null }, 'export_item_failure_ck'],
    [{ ...failed, state: 'pending' }, 'export_item_failure_ck'],
  ])('with %j is %s', async (columns, outcome) => {
    expect(await outcomeOf(insertItem(await insertJob(), columns))).toBe(outcome);
  });

  /** What comes with each state. */
  const RESULTS: Readonly<Record<ExportItemState, Readonly<Record<string, string | null>>>> = {
    pending: { failure_type: null, failure_reason: null, external_id: null },
    successful: { failure_type: null, failure_reason: null, external_id: 'J-1' },
    failed: { failure_type: 'validation_failure', failure_reason: 'wrong', external_id: null },
  };
  const STATES_OF_ITEM = Object.keys(ITEM_TRANSITIONS) as ExportItemState[];

  it.each(STATES_OF_ITEM)('that is %s changes only along the edges in the code', async (from) => {
    const outcomes: Record<string, string> = {};
    for (const to of STATES_OF_ITEM) {
      const id = await insertJob();
      await insertItem(id, { state: from, ...RESULTS[from] });
      const columns: readonly [string, string | null][] = [['state', to], ...Object.entries(RESULTS[to])];
      const set = columns.map(([name, value]) => `${name} = ${value === null ? 'NULL' : `'${value}'`}`);
      outcomes[to] = await outcomeOf(update('export_item', set.join(', '), 'export_job_id', id));
    }
    const allowed = (to: ExportItemState) => to === from || ITEM_TRANSITIONS[from].includes(to);
    expect(outcomes).toEqual(
      Object.fromEntries(STATES_OF_ITEM.map((to) => [to, allowed(to) ? 'allowed' : 'export_item_result_is_final_ck'])),
    );
  });

  it.each([
    `external_id = 'J-2'`,
    `external_url = 'https://erp.example/J-2'`,
    `warnings = '["other"]'`,
    'exported_at = now()',
  ])('with a result keeps it: %s', async (set) => {
    const id = await insertJob();
    await insertItem(id, { state: 'successful', external_id: 'J-1' });
    expect(await outcomeOf(update('export_item', set, 'export_job_id', id))).toBe('export_item_result_is_final_ck');
  });

  it('is reported once, and not before it has a result', async () => {
    const change = async (id: string, set: string) => outcomeOf(update('export_item', set, 'export_job_id', id));
    const pending = await insertJob();
    await insertItem(pending, {});
    expect(await change(pending, 'reported_in = 2')).toBe('export_item_reported_ck');
    expect(await change(pending, 'known_at = now()')).toBe('export_item_reported_ck');
    const done = await insertJob();
    await insertItem(done, { state: 'successful', external_id: 'J-1' });
    expect(await change(done, 'reported_in = 2')).toBe('export_item_reported_once_ck');
    expect(await change(done, `report_problem = 'unknown entry'`)).toBe('allowed');
    expect(await change(done, 'report_problem = NULL')).toBe('export_item_reported_once_ck');
  });
});

describe('the outbox', () => {
  it.each([
    ['verdict', 'outbox_verdict_uq'],
    ['started', 'outbox_started_uq'],
    ['items', 'allowed'],
  ])('accepts of the kind %s a second message of a job: %s', async (kind, outcome) => {
    const id = await insertJob();
    await insertMessage(id, kind, 1);
    expect(await outcomeOf(insertMessage(id, kind, 2))).toBe(outcome);
    expect(await outcomeOf(insertMessage(await insertJob(), kind, 1))).toBe('allowed');
  });

  it('has one message per position in the order', async () => {
    const id = await insertJob();
    await insertMessage(id, 'items', 1);
    expect(await outcomeOf(insertMessage(id, 'items', 1))).toBe('outbox_seq_pk');
  });
});

describe('a row that belongs to a job', () => {
  it('has the installation of the job', async () => {
    const other = await exports.addTenant();
    const id = await insertJob('detected', other);
    expect(await outcomeOf(insertItem(id, {}))).toBe('export_item_export_job_id_fk');
    expect(await outcomeOf(insertIntent(id))).toBe('posting_intent_export_job_id_fk');
    expect(await outcomeOf(insertMessage(id, 'items', 1))).toBe('outbox_export_job_id_fk');
    expect(await outcomeOf(insertItem(id, {}, other))).toBe('allowed');
  });

  it('has a mapping version of the same installation', async () => {
    const bare = await exports.addTenant({ mapping: false });
    const id = await insertJob('detected', bare);
    expect(await outcomeOf(insertIntent(id, {}, bare))).toBe('posting_intent_mapping_version_fk');
    const change = update('export_job', 'mapping_version = 1, version = version + 1', 'id', id);
    expect(await outcomeOf(change)).toBe('export_job_mapping_version_fk');
  });

  it('refers to an existing plan, at first and later', async () => {
    const id = await insertJob();
    const plan = { plan_chunk_id: randomUUID() };
    expect(await outcomeOf(insertIntent(id, plan))).toBe('posting_intent_plan_in_fk');
    const intent = await insertIntent(id);
    const change = (set: string) => outcomeOf(update('posting_intent', set, 'accounting_entry_id', intent));
    expect(await change('plan_chunk_id = gen_random_uuid()')).toBe('posting_intent_plan_in_fk');
    expect(await change('export_job_id = gen_random_uuid()')).toBe('posting_intent_export_job_id_fk');
    expect(await change('mapping_version = 99')).toBe('posting_intent_mapping_version_fk');
    expect(await change('plan_chunk_id = NULL')).toBe('allowed');
  });

  it('keeps its references', async () => {
    const id = await insertJob();
    await insertItem(id, {});
    const elsewhere = update('export_item', 'export_job_id = gen_random_uuid()', 'export_job_id', id);
    expect(await outcomeOf(elsewhere)).toBe('export_item_keep_job');
    for (const [table, key] of [
      ['export_job', 'id'],
      ['mapping_version', 'version'],
    ] as const) {
      expect(await outcomeOf(exports.admin.query(`DELETE FROM ${table}`))).toBe(`${table}_keep_key`);
      expect(await outcomeOf(exports.admin.query(`UPDATE ${table} SET ${key} = ${key}`))).toBe(`${table}_keep_key`);
    }
  });
});
