import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { onBehalfOf } from '../../../src/foundation/database/actor.js';
import { prepared, sql } from '../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../src/foundation/database/tenant-database.js';
import type { Tx } from '../../../src/foundation/database/transaction.js';
import { toInstallationId } from '../../../src/kernel/ids.js';
import { createTestDatabase, transactionsOf } from '../../support/test-database.js';
import { startedOnce } from '../../support/started-once.js';

const server = startedOnce(createTestDatabase);
const database = startedOnce(() =>
  TenantDatabase.connect({ ...transactionsOf(server.url), applicationName: 'test', poolSize: 1 }),
);
const installationId = toInstallationId(randomUUID());

const setting = (name: string) => (tx: Tx) =>
  tx.one<{ value: string }>(sql`SELECT current_setting(${name}, true) AS value`).then(({ value }) => value);

describe('a transaction of an installation', () => {
  // docs/adr/0012: what is harmless to do again does not wait for the disk, and nothing else is like that.
  it.each([
    ['inInstallation', 'on'],
    ['byKeys', 'on'],
    ['readOnce', 'on'],
    ['writeOnce', 'off'],
  ] as const)('by %s commits with synchronous_commit %s', async (method, expected) => {
    expect(await database[method]('look', installationId, setting('synchronous_commit'))).toBe(expected);
    expect(await database.withoutInstallation('look after it', setting('synchronous_commit'))).toBe('on');
  });

  it.each(['inInstallation', 'byKeys', 'readOnce', 'writeOnce'] as const)(
    'by %s has its installation and actor as settings, whatever they contain, and leaves nothing of them behind',
    async (method) => {
      const actor = { name: `O'Hara; DROP TABLE "x" -- \\`, requestId: 'r-1' };
      const read = (name: string) => onBehalfOf(actor, () => database[method]('look', installationId, setting(name)));
      expect([await read('app.installation'), await read('app.actor'), await read('app.request')]).toEqual([
        installationId,
        actor.name,
        'r-1',
      ]);
      const left = await database.withoutInstallation('look after it', setting('app.installation'));
      expect(left).not.toBe(installationId);
    },
  );

  it('uses one plan for a prepared statement, by index only', async () => {
    const ask = (value: string) =>
      database.readOnce('ask', installationId, (tx) =>
        tx.one<{ value: string; scans: string }>(
          prepared(sql`SELECT ${value}::text AS value, current_setting('enable_seqscan') AS scans`),
        ),
      );
    expect([await ask('one'), await ask('two'), await ask('not plain')]).toEqual([
      { value: 'one', scans: 'off' },
      { value: 'two', scans: 'off' },
      { value: 'not plain', scans: 'off' },
    ]);
    expect(await database.readOnce('look', installationId, setting('enable_seqscan'))).toBe('on');
  });

  it('uses one plan for a prepared statement among others, which are planned for their values', async () => {
    const settings = sql`SELECT current_setting('enable_seqscan') AS scans, current_setting('plan_cache_mode') AS plans`;
    const seen = await database.inInstallation('ask and look', installationId, async (tx) => {
      const before = await tx.one(settings);
      tx.defer(sql`SAVEPOINT here`);
      const within = [await tx.one(prepared(settings)), await tx.one(prepared(settings))];
      const after = await tx.one(settings);
      await tx.one(prepared(settings));
      await tx.execute(sql`ROLLBACK TO SAVEPOINT here`);
      return [before, ...within, after, await tx.one(settings), await tx.one(prepared(settings))];
    });
    const [forGiven, forAll] = [
      { scans: 'on', plans: 'auto' },
      { scans: 'off', plans: 'force_generic_plan' },
    ];
    expect(seen).toEqual([forGiven, forAll, forAll, forGiven, forGiven, forAll]);
  });
});
