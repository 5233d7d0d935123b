import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { FinishTestPostings } from '../../../../src/connector/erp-connections/test-posting/finish-test-postings.js';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { ExportRecordReader } from '../../../../src/connector/exports/stores/export-record.reader.js';
import { toErpCompanyId, toInstallationId } from '../../../../src/kernel/ids.js';
import { UNREACHABLE, postsWithoutResponse, refuses } from '../../../support/fake-erp.js';
import { startedOnce } from '../../../support/started-once.js';
import { MappingHarness, type MappingTenant } from '../mapping/mapping-harness.js';

// An entry of one minor unit proves that the accounting system takes postings, once, and is taken back.

const harness = startedOnce(() => MappingHarness.start());
let tenant: MappingTenant;

beforeEach(async () => {
  harness.erp.restore();
  harness.erp.guarantee = { level: 'permanent-key' };
  harness.erp.masterData = companyData;
  tenant = await harness.addTenant();
});

const ACCOUNTS = { debit: '5410', credit: '1935' };
const post = (body: object = ACCOUNTS, headers: Readonly<Record<string, string>> = {}) =>
  harness.send(tenant, 'POST', '/erp-connection/test-posting', { as: 'admin', body, headers });
const text = (body: Readonly<Record<string, unknown>>) => Reflect.get(Object(body['result']), 'text') as string;
const standing = (body: Readonly<Record<string, unknown>>) => {
  const key = String(body['id']);
  return harness.erp.revisionsOf(key).filter(({ reversed }) => !reversed).length;
};
const finish = () => harness.get(FinishTestPostings).finishDue(toInstallationId(tenant.installationId));
const passMinutes = (minutes: number) =>
  harness.admin.query(`UPDATE test_posting SET sent_at = sent_at - make_interval(mins => $1)`, [minutes]);
const state = async () => (await harness.send(tenant, 'GET', '/erp-connection/test-posting')).body['state'];

it('a test posting is posted and reversed at once, with the number of the accounting system', async () => {
  expect((await harness.send(tenant, 'GET', '/erp-connection/test-posting')).status).toBe(404);
  const { status, body } = await post();
  expect([status, body['state'], body['works'], standing(body)]).toEqual([200, 'taken-back', true, 0]);
  const number = String(body['documentNumber']);
  expect(text(body)).toBe(`Entry ${number} was posted and reversed: the accounting system takes postings.`);
  const { body: setup } = await harness.send(tenant, 'GET', '/setup');
  expect(setup['steps']).toContainEqual(expect.objectContaining({ check: 'test-posting', state: 'done' }));
});

it('a test posting is one entry however often the request is repeated', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await post(ACCOUNTS, headers);
  expect((await post(ACCOUNTS, headers)).body).toEqual(first.body);
  // As after a crash that has lost the answer.
  await harness.admin.query(`DELETE FROM idempotency_key`);
  expect((await post(ACCOUNTS, headers)).body).toEqual(first.body);
  expect(harness.erp.posts).toHaveLength(1);
});

it('a test posting is reversed later when the reversal was interrupted', async () => {
  harness.erp.script.push((group, erp) => {
    erp.failure = UNREACHABLE;
    return { outcome: 'created', posted: erp.acceptGroup(group) };
  });
  const { body } = await post();
  expect([body['state'], body['works'], standing(body)]).toEqual(['sent', false, 1]);
  harness.erp.failure = undefined;
  await finish();
  expect(await state()).toBe('sent');
  await passMinutes(3);
  await finish();
  expect([await state(), standing(body)]).toEqual(['taken-back', 0]);
  await finish();
  expect(harness.erp.reversals).toHaveLength(1);
});

it('a test posting without a response is looked up and reversed', async () => {
  harness.erp.script.push(postsWithoutResponse);
  const { body } = await post();
  expect([body['state'], standing(body)]).toEqual(['taken-back', 0]);
});

it('a test posting that never arrived is given up after ten minutes', async () => {
  harness.erp.script.push(() => ({ outcome: 'unknown', failure: { kind: 'timeout', message: 'no answer in time' } }));
  expect((await post()).body['state']).toBe('sent');
  await passMinutes(11);
  await finish();
  expect(await state()).toBe('refused');
});

it('a test posting reports the message of the accounting system', async () => {
  harness.erp.script.push(refuses('The period is closed.'));
  const { body } = await post();
  expect([body['state'], text(body)]).toEqual(['refused', 'Nothing was posted: The period is closed.']);
});

it('a test posting is a draft that stays where entries cannot be found again', async () => {
  harness.erp.guarantee = { level: 'none' };
  const { body } = await post();
  expect([body['state'], body['works'], harness.erp.reversals]).toEqual(['draft', true, []]);
});

it('a test posting requires two active accounts and an accounting system that responds', async () => {
  expect(await post({ debit: '5410', credit: '9999' })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/credit' }] },
  });
  harness.erp.failure = UNREACHABLE;
  expect((await post()).status).toBe(503);
  expect(harness.erp.posts).toEqual([]);
});

it('a test posting is known to reconciliation, and not reported as an orphan', async () => {
  const { body } = await post();
  const key = String(body['id']);
  const known = await harness
    .get(ExportRecordReader)
    .knownEntries(toInstallationId(tenant.installationId), toErpCompanyId('erp'), [key, randomUUID()]);
  expect([...known]).toEqual([key]);
});
