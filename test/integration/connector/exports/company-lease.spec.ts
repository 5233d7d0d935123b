import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '../../../../src/connector/runs/lease.js';
import { fenced } from '../../../../src/connector/exports/stores/fenced.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import type { Tx } from '../../../../src/foundation/database/transaction.js';
import { toAccountingEntryId, toExportJobId } from '../../../../src/kernel/ids.js';
import { ExportsHarness, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  tenant = await exports.addTenant();
});

async function addJob(owner: Tenant): Promise<string> {
  return (await exports.addJob(owner, [])).id;
}

async function idleCompanies(): Promise<readonly string[]> {
  const idle = await exports.database.acrossInstallations('sweep', (tx) =>
    exports.stores.companyLeaseRepository.findIdle(tx, 100),
  );
  return idle.map(({ companyId }) => companyId);
}

async function setJob(id: string, change: string): Promise<void> {
  await exports.admin.query(`UPDATE export_job SET ${change}, version = version + 1 WHERE id = $1`, [id]);
}

async function isLockAwaited(): Promise<boolean> {
  const { rows } = await exports.admin.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

describe('a company’s lease', () => {
  it('starts with fence 1 and is not given twice', async () => {
    expect((await exports.claimOrFail(tenant)).fence).toBe(1n);
    expect(await exports.claim(tenant)).toBeUndefined();
  });

  it('goes to one of many concurrent workers', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => exports.claim(tenant)));
    expect(claims.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('is separate for each company', async () => {
    await exports.claimOrFail(tenant);
    expect((await exports.claimOrFail(await exports.addTenant())).fence).toBe(1n);
  });

  it('passes to the next owner with the next fence once it has expired', async () => {
    await exports.claimOrFail(tenant);
    await exports.expireLease(tenant);
    expect((await exports.claimOrFail(tenant)).fence).toBe(2n);
    expect(await exports.claim(tenant)).toBeUndefined();
  });

  it('passes to the next owner with the next fence once it is released', async () => {
    const lease = await exports.claimOrFail(tenant);
    await exports.database.inInstallation('release', tenant.installationId, (tx) =>
      exports.stores.companyLeaseRepository.release(tx, lease),
    );
    expect((await exports.claimOrFail(tenant)).fence).toBe(2n);
  });

  it('cannot be released by a former owner', async () => {
    const old = await exports.claimOrFail(tenant);
    await exports.expireLease(tenant);
    await exports.claimOrFail(tenant);
    await exports.database.inInstallation('release', tenant.installationId, (tx) =>
      exports.stores.companyLeaseRepository.release(tx, old),
    );
    expect(await exports.claim(tenant)).toBeUndefined();
  });

  it('is extended by a renewal, and cannot be renewed once lost', async () => {
    const renew = (lease: Awaited<ReturnType<typeof exports.claimOrFail>>) =>
      exports.database.inInstallation('renew', tenant.installationId, (tx) =>
        exports.stores.companyLeaseRepository.renew(tx, lease),
      );
    const old = await exports.claimOrFail(tenant);
    await exports.expireLease(tenant);
    expect(await renew(old)).toBe(true);
    expect(await exports.claim(tenant)).toBeUndefined();
    await exports.expireLease(tenant);
    const current = await exports.claimOrFail(tenant);
    expect(await renew(old)).toBe(false);
    expect(await renew(current)).toBe(true);
  });
});

describe('a claim counts the owners before it that died', () => {
  const suspect = toAccountingEntryId(randomUUID());
  const inTransaction = async (work: (tx: Tx) => Promise<void>) =>
    exports.database.inInstallation('change lease', tenant.installationId, work);
  const leases = () => exports.stores.companyLeaseRepository;

  async function claimAfterDeath() {
    await exports.expireLease(tenant);
    return exports.claimOrFail(tenant);
  }

  it('until exports end by themselves; other work in between changes nothing', async () => {
    expect(await exports.claimOrFail(tenant)).toMatchObject({ takeovers: 0, suspect: undefined, suspectDeaths: 0 });
    expect(await claimAfterDeath()).toMatchObject({ takeovers: 1 });
    const lookingUp = await claimAfterDeath();
    expect(lookingUp).toMatchObject({ takeovers: 2 });
    await inTransaction((tx) => leases().release(tx, lookingUp));
    const exporting = await exports.claimOrFail(tenant);
    expect(exporting).toMatchObject({ takeovers: 2 });
    await inTransaction((tx) => leases().releaseAfterExports(tx, exporting));
    expect(await exports.claimOrFail(tenant)).toMatchObject({ takeovers: 0 });
  });

  it('at an item, as far as they had begun it', async () => {
    const first = await exports.claimOrFail(tenant);
    await inTransaction((tx) => leases().suspectItem(tx, first, suspect));
    expect(await claimAfterDeath()).toMatchObject({ suspect, suspectDeaths: 1 });
    const third = await claimAfterDeath();
    expect(third).toMatchObject({ suspect, suspectDeaths: 1, takeovers: 2 });
    await inTransaction((tx) => leases().suspectItem(tx, third, suspect));
    const fourth = await claimAfterDeath();
    expect(fourth).toMatchObject({ suspect, suspectDeaths: 2 });
    const other = toAccountingEntryId(randomUUID());
    await inTransaction((tx) => leases().suspectItem(tx, fourth, other));
    const fifth = await claimAfterDeath();
    expect(fifth).toMatchObject({ suspect: other, suspectDeaths: 1 });
    await inTransaction((tx) => leases().clearSuspect(tx, fifth));
    expect(await claimAfterDeath()).toMatchObject({ suspect: undefined, suspectDeaths: 0, takeovers: 5 });
  });
});

describe('a fenced write', () => {
  it('of the owner is committed', async () => {
    const id = await addJob(tenant);
    const lease = await exports.claimOrFail(tenant);
    await fenced(exports.database, 'postpone', lease, (tx) =>
      exports.stores.exportJobRepository.postpone(
        tx,
        { installationId: tenant.installationId, id: toExportJobId(id) },
        60,
      ),
    );
    expect(await exports.rows('export_job', id, 'version')).toEqual([[2]]);
  });

  it('of a former owner throws and changes nothing', async () => {
    const id = await addJob(tenant);
    const old = await exports.claimOrFail(tenant);
    await exports.expireLease(tenant);
    await exports.claimOrFail(tenant);
    const write = fenced(exports.database, 'late write', old, (tx) =>
      exports.stores.exportJobRepository.postpone(
        tx,
        { installationId: tenant.installationId, id: toExportJobId(id) },
        60,
      ),
    );
    await expect(write).rejects.toThrow(LeaseLost);
    expect(await exports.rows('export_job', id, 'version')).toEqual([[1]]);
  });

  it('with the right fence but another owner throws', async () => {
    const lease = await exports.claimOrFail(tenant);
    const impostor = { ...lease, holder: randomUUID() };
    await expect(fenced(exports.database, 'write', impostor, (tx) => tx.execute(sql`SELECT 1`))).rejects.toThrow(
      LeaseLost,
    );
  });

  it('keeps other workers from claiming the company until it is committed', async () => {
    const lease = await exports.claimOrFail(tenant);
    await exports.expireLease(tenant);
    const begun = Promise.withResolvers<undefined>();
    const mayCommit = Promise.withResolvers<undefined>();
    const order: string[] = [];
    const writing = fenced(exports.database, 'slow write', lease, async (tx) => {
      await tx.execute(sql`SELECT 1`);
      begun.resolve(undefined);
      await mayCommit.promise;
      order.push('written');
    });
    await begun.promise;
    const takeover = exports.claimOrFail(tenant).then(() => order.push('taken over'));
    while (!(await isLockAwaited())) {
      expect(order).toEqual([]);
    }
    mayCommit.resolve(undefined);
    await Promise.all([writing, takeover]);
    expect(order).toEqual(['written', 'taken over']);
  });
});

it('renewals do not wait for fenced writes, however long these take and overlap', async () => {
  const lease = await exports.claimOrFail(tenant);
  const mayCommit = Promise.withResolvers<undefined>();
  const writing: Promise<undefined>[] = [];
  for (let count = 1; count <= 3; count += 1) {
    const begun = Promise.withResolvers<undefined>();
    writing.push(
      fenced(exports.database, 'slow write', lease, async (tx) => {
        await tx.execute(sql`SELECT 1`);
        begun.resolve(undefined);
        return mayCommit.promise;
      }),
    );
    await begun.promise;
    const renewed = await exports.database.inInstallation('renew', tenant.installationId, async (tx) => {
      await tx.execute(sql`SET LOCAL lock_timeout = '1s'`);
      return exports.stores.companyLeaseRepository.renew(tx, lease);
    });
    expect(renewed).toBe(true);
  }
  mayCommit.resolve(undefined);
  await Promise.all(writing);
});

describe('the sweep for due companies', () => {
  it('finds a company with a due open job and no owner', async () => {
    await addJob(tenant);
    expect(await idleCompanies()).toContain(tenant.companyId);
  });

  it('finds a company once for any number of jobs, also after its worker was lost', async () => {
    await addJob(tenant);
    await addJob(tenant);
    await exports.claimOrFail(tenant);
    expect(await idleCompanies()).not.toContain(tenant.companyId);
    await exports.expireLease(tenant);
    expect((await idleCompanies()).filter((id) => id === tenant.companyId)).toHaveLength(1);
  });

  it('ignores companies without a job, with postponed jobs and with ended jobs', async () => {
    const postponed = await exports.addTenant();
    await setJob(await addJob(postponed), `next_run_at = now() + interval '1 minute'`);
    const ended = await exports.addTenant();
    await setJob(await addJob(ended), `state = 'closed_by_platform'`);
    const idle = await idleCompanies();
    for (const { companyId } of [tenant, postponed, ended]) {
      expect(idle).not.toContain(companyId);
    }
  });
});
