import { PLAN_OF_INTENT } from '../../../support/stored-plans.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { MappingRuleRepository } from '../../../../src/connector/mapping/mapping-rule.repository.js';
import { MappingVersionRepository } from '../../../../src/connector/mapping/mapping-version.repository.js';
import { StoreVersion } from '../../../../src/connector/mapping/store-version.js';
import { planReplacement } from '../../../../src/connector/mapping/domain/rule-change-set.js';
import type { MappingRule } from '../../../../src/connector/bookkeeping/accounts/rule-index.js';
import { UNREACHABLE } from '../../../support/fake-erp.js';
import { ExportsHarness, purchase, type Tenant } from '../exports/exports-harness.js';
import { MappingUseReader } from '../../../../src/connector/exports/issues/mapping-use.reader.js';
import { startedOnce } from '../../../support/started-once.js';

// The whole way: what a bookkeeper saved decides what is posted, and the intent remembers it.

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;
const versions = new MappingVersionRepository();
const rules = new MappingRuleRepository();

beforeEach(async () => {
  exports.erp.restore();
  tenant = await exports.addTenant();
});

/** Saves the next version, with these rules and no others. */
async function saveRules(wanted: readonly MappingRule[]): Promise<void> {
  const { installationId } = tenant;
  await exports.database.inInstallation('save rules', installationId, async (tx) => {
    const base = await versions.findLatest(tx, installationId);
    if (base === undefined) throw new Error('no settings');
    const current = await rules.ofVersion(tx, installationId, base.version);
    const next = {
      action: 'rules',
      settings: base.settings,
      rules: planReplacement(current, wanted),
      author: { name: 'test', reason: undefined },
    } as const;
    await new StoreVersion(versions, rules, exports.clock).store(tx, installationId, base, next);
  });
}

const sends = (target: string, id = '1'): MappingRule => ({
  id,
  subject: 'account',
  sourceKey: '404',
  target,
});

/** Mapping version of each intent of a job, with the account of its expense line and what chose it. */
async function decisions(jobId: string): Promise<readonly (readonly unknown[])[]> {
  return exports.rows(
    'posting_intent',
    jobId,
    `mapping_version, ${PLAN_OF_INTENT} #>> '{0,lines,0,account,code}', ${PLAN_OF_INTENT} #> '{0,lines,0,account,decision}'`,
  );
}

describe('a mapping rule', () => {
  it('decides what a whole export posts, and the intent names the rule and its version', async () => {
    const items = [purchase(tenant.companyId, { account: '404' }), purchase(tenant.companyId, { account: '404' })];
    const before = await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
    expect(await exports.stateOf(before)).toBe('failed');

    await saveRules([sends('6071', '7')]);
    const after = await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
    expect(await exports.stateOf(after)).toBe('completed');
    const decided = [2, '6071', { by: 'rule', ruleId: '7' }];
    expect(await decisions(after.id)).toEqual([decided, decided]);
  });

  it('saved while a job runs is for the next one', async () => {
    await saveRules([sends('6071')]);
    const running = await exports.addJob(tenant, [purchase(tenant.companyId, { account: '404' })]);
    exports.erp.failure = UNREACHABLE;
    await exports.processQueue(tenant);
    expect(await exports.rows('export_job', running.id, 'state, mapping_version')).toEqual([['running', 2]]);

    await saveRules([sends('6110')]);
    exports.erp.failure = undefined;
    await exports.processQueueAgain(tenant);
    expect(await decisions(running.id)).toEqual([[2, '6071', { by: 'rule', ruleId: '1' }]]);
    const next = await exports.addJob(tenant, [purchase(tenant.companyId, { account: '404' })]);
    await exports.processQueue(tenant);
    expect(await decisions(next.id)).toEqual([[3, '6110', { by: 'rule', ruleId: '1' }]]);
  });

  it('whose target was deleted fails its items with its name', async () => {
    await saveRules([sends('9999', '12')]);
    const job = await exports.addJob(tenant, [purchase(tenant.companyId, { account: '404' })]);
    await exports.processQueue(tenant);
    const [row] = await exports.rows('export_item', job.id, 'failure_type, failure_reason');
    expect(row?.[0]).toBe('account_unknown');
    expect(row?.[1]).toContain('Mapping rule 12 sends account 404');
  });
});

it('failed values are reported by key, each item once', async () => {
  const items = [
    purchase(tenant.companyId, { account: '06071' }),
    purchase(tenant.companyId, { account: '06071' }),
    purchase(tenant.companyId, { account: '404' }),
  ];
  for (let round = 0; round < 2; round += 1) {
    await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
  }
  const other = await exports.addTenant();
  await exports.addJob(other, [purchase(other.companyId, { account: '405' })]);
  await exports.processQueue(other);

  const failures = await exports.get(MappingUseReader).failures(tenant.installationId, new Date(0));
  expect(failures.map(({ subject, source, items: count }) => [subject, source, count])).toEqual([
    ['account', '06071', 2],
    ['account', '404', 1],
  ]);
  const later = new Date(exports.clock.now().getTime() + 1);
  expect(await exports.get(MappingUseReader).failures(tenant.installationId, later)).toEqual([]);
});
