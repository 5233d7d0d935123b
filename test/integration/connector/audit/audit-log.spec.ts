import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { BIG_NUMBER, PagedList, textKey } from '../../../../src/connector/api/http/page.js';
import { cursorSuffix } from '../../../../src/foundation/http/bound-cursors.interceptor.js';
import { VerifyAudit } from '../../../../src/connector/audit/verify-audit.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { read, type AuditApiResponse } from './audit-harness.js';

const VERIFICATION = '/api/v1/audit/verification';
const CURSOR = new PagedList({ position: BIG_NUMBER, hash: textKey(/./) });

let connector: ConnectorUnderTest;
let mine: StoredInstallation;
let token: string;

beforeAll(async () => {
  connector = await startConnectorApp();
  mine = await storeInstallation(connector, 'Mine');
  token = await createToken(connector, mine.id, 'admin');
});
afterAll(() => connector.close());

const verification = (installation = token): Promise<AuditApiResponse> =>
  read(connector, '/api/v1/audit/verification', installation);

const inMine = <T>(work: Parameters<typeof connector.runtime.database.inInstallation<T>>[2]) =>
  connector.runtime.database.inInstallation('a test', mine.id, work);

async function positions({ id }: StoredInstallation): Promise<readonly number[]> {
  const { rows } = await connector.admin.query<{ position: string }>(
    'SELECT position FROM audit_entry WHERE installation_id = $1 ORDER BY position',
    [id],
  );
  return rows.map(({ position }) => Number(position));
}

describe('an audit entry', () => {
  it('cannot be written by a trigger of another table', async () => {
    const trap = inMine(async (tx) => {
      await tx.execute(sql`CREATE TEMPORARY TABLE trap (id uuid, installation_id uuid) ON COMMIT DROP`);
      await tx.execute(sql`
        CREATE TRIGGER trap AFTER INSERT ON trap FOR EACH ROW EXECUTE FUNCTION audit_change('{id}', '{id}')`);
    });
    await expect(trap).rejects.toThrow('permission denied for function audit_change');
  });

  it('cannot be diverted into a temporary table of the same name', async () => {
    const before = await positions(mine);
    const app = new pg.Client({
      connectionString: connector.server.url,
      options: '-c search_path=connector -c role=connector_app',
    });
    await app.connect();
    await app.query('CREATE TEMPORARY TABLE audit_entry (LIKE connector.audit_entry)');
    await app.query('GRANT ALL ON pg_temp.audit_entry TO PUBLIC');
    await app.query('BEGIN');
    await app.query(`SELECT set_config('app.installation', $1, true)`, [mine.id]);
    await app.query(`UPDATE connector.installation SET company_name = 'Mine and quiet'`);
    await app.query('COMMIT');
    expect((await app.query('SELECT FROM pg_temp.audit_entry')).rowCount).toBe(0);
    expect(await positions(mine)).toHaveLength(before.length + 1);
    await app.end();
  });

  it('is committed with the change, or not at all', async () => {
    const before = await positions(mine);
    await expect(
      inMine(async (tx) => {
        await tx.execute(sql`UPDATE installation SET company_name = 'Gone'`);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await positions(mine)).toEqual(before);
    await inMine((tx) => tx.execute(sql`UPDATE installation SET company_name = 'Mine and more'`));
    expect(await positions(mine)).toHaveLength(before.length + 1);
  });

  it('names the step of the connector when there is no caller, and the database user for a manual change', async () => {
    await inMine((tx) => tx.execute(sql`UPDATE installation SET company_name = 'By itself'`));
    await connector.admin.query(`UPDATE installation SET company_name = 'By hand' WHERE id = $1`, [mine.id]);
    const { json } = await read(connector, '/api/v1/audit?object=installation&limit=2', token);
    expect(json).toMatchObject({
      data: [
        {
          actor: `database user ${connector.admin.user ?? ''}`,
          requestId: null,
          before: { company_name: 'By itself' },
          after: { company_name: 'By hand' },
        },
        { actor: 'system a test', requestId: null },
      ],
    });
  });

  it('is not written for changes without an accountable actor', async () => {
    const before = await positions(mine);
    await inMine(async (tx) => {
      await tx.execute(sql`UPDATE installation SET next_poll_at = clock_timestamp(), state = state`);
      await tx.execute(sql`UPDATE subscription SET next_maintenance_at = clock_timestamp()`);
    });
    expect(await positions(mine)).toEqual(before);
  });
});

describe('the audit log', () => {
  it.each(['UPDATE audit_entry SET actor = actor', 'DELETE FROM audit_entry', 'TRUNCATE audit_entry'])(
    'refuses %s, to the application and to its owner',
    async (statement) => {
      await expect(inMine((tx) => tx.execute({ text: statement, values: [] }))).rejects.toThrow('permission denied');
      await expect(connector.admin.query(statement)).rejects.toThrow('append-only');
    },
  );

  it.each([
    ['UPDATE audit_head SET hash = hash', 'goes on after'],
    ['DELETE FROM audit_head', 'append-only'],
    ['TRUNCATE audit_head', 'append-only'],
  ])('refuses %s on its head', async (statement, message) => {
    await expect(inMine((tx) => tx.execute({ text: statement, values: [] }))).rejects.toThrow('permission denied');
    await expect(connector.admin.query(statement)).rejects.toThrow(message);
  });

  it('accepts no entry from the application', async () => {
    const forged = sql`
      INSERT INTO audit_entry (installation_id, position, occurred_at, actor, object, object_id, action, after, hash)
      VALUES (${mine.id}, 1000, now(), 'me', 'installation', 'x', 'created', '{}', sha256(''))`;
    await expect(inMine((tx) => tx.execute(forged))).rejects.toThrow('permission denied');
  });

  it('has no gap after twenty concurrent transactions, half of which are rolled back', async () => {
    const other = await storeInstallation(connector, 'Busy');
    const before = await positions(other);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        connector.runtime.database.inInstallation('at once', other.id, async (tx) => {
          await tx.execute(sql`
            INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
            VALUES (${other.id}, ${index + 1}, '{}', 'me', now())`);
          if (index % 2 === 1) {
            throw new Error('taken back');
          }
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await positions(other)).toEqual(Array.from({ length: before.length + 20 }, (_, index) => index + 1));
    const busy = await createToken(connector, other.id, 'admin');
    expect((await verification(busy)).json).toMatchObject({ intact: true, verifiedUpTo: before.length + 21 });
  });
});

describe('verification', () => {
  it('finds an untouched log intact, and reports its end', async () => {
    const last = (await positions(mine)).length;
    const { json } = await verification();
    expect(json).toEqual({
      intact: true,
      verifiedUpTo: last,
      firstBroken: null,
      head: { position: last, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      nextCursor: null,
    });
  });

  it.each([
    [
      'a letter of who',
      `UPDATE audit_entry SET actor = 'System' || substr(actor, 7) WHERE position = 3`,
      'hash-differs',
      3,
    ],
    [
      'a microsecond',
      `UPDATE audit_entry SET occurred_at = occurred_at + interval '1 microsecond' WHERE position = 2`,
      'hash-differs',
      2,
    ],
    [
      'a space in what was before or after',
      `UPDATE audit_entry SET after = (after::text || ' ')::json WHERE position = 4`,
      'hash-differs',
      4,
    ],
    ['a missing entry', 'DELETE FROM audit_entry WHERE position = 2', 'entry-missing', 2],
    ['a missing beginning', 'DELETE FROM audit_entry WHERE position = 1', 'entry-missing', 1],
    ['a cut end', 'DELETE FROM audit_entry WHERE position > 4', 'entry-missing', 5],
    ['a head without its hash', `UPDATE audit_head SET hash = sha256('')`, 'hash-differs', 'the last'],
    ['a forgotten head', 'DELETE FROM audit_head', 'hash-differs', 'the last'],
  ])('reports the first position of %s', async (_, tampering, reason, place) => {
    const victim = await storeInstallation(connector, 'Victim');
    const admin = await createToken(connector, victim.id, 'admin');
    const last = (await positions(victim)).length;
    await tamper(`${tampering}${tampering.includes('WHERE') ? ' AND' : ' WHERE'} installation_id = '${victim.id}'`);
    const { json } = await verification(admin);
    expect(json).toMatchObject({
      intact: false,
      firstBroken: { reason, position: place === 'the last' ? last : place },
    });
    expect((await verification()).json).toMatchObject({ intact: true });
  });
});

describe('a long log', () => {
  it('is verified in parts, each from the end of the one before', async () => {
    const verify = connector.app.get(VerifyAudit, { strict: false });
    const last = BigInt((await positions(mine)).length);
    const first = await verify.verify(mine.id, undefined, 3n);
    expect(first).toMatchObject({ end: { position: 3n }, firstBroken: undefined, more: true });
    expect(await verify.verify(mine.id, first.end, last - 3n)).toMatchObject({
      end: { position: last },
      firstBroken: undefined,
      more: false,
    });
    const cursor = CURSOR.encode({ position: 3n, hash: first.end.hash });
    expect(
      (await read(connector, `${VERIFICATION}?after=${cursor}${cursorSuffix(mine.id, VERIFICATION, {})}`, token)).json,
    ).toMatchObject({
      intact: true,
      verifiedUpTo: Number(last),
    });
  });

  it('is not verified from another beginning', async () => {
    const cursor = CURSOR.encode({ position: 3n, hash: 'ab'.repeat(32) });
    expect(
      (await read(connector, `${VERIFICATION}?after=${cursor}${cursorSuffix(mine.id, VERIFICATION, {})}`, token)).json,
    ).toMatchObject({
      intact: false,
      firstBroken: { reason: 'hash-differs', position: 4 },
    });
  });
});

describe('a copy of the log', () => {
  it('is verified from an export alone', async () => {
    const { json } = await read(connector, '/api/v1/installation/export', token);
    const rows = (json as { readonly tables: { readonly audit_entry: readonly ExportedEntry[] } }).tables.audit_entry;
    // The end of the download is recorded when it is over.
    expect(rows.map(({ position }) => position)).toEqual((await positions(mine)).slice(0, rows.length));
    let hash = '';
    for (const row of rows) {
      const texts = [row.actor, row.request_id, row.object, row.object_id, row.action].map((text) =>
        JSON.stringify(text),
      );
      const place = `"${row.installation_id}", ${row.position.toString()}, ${microsOf(row.occurred_at)}`;
      const content = `[${place}, ${texts.join(', ')}, ${row.before ?? 'null'}, ${row.after ?? 'null'}]`;
      hash = createHash('sha256').update(Buffer.from(hash, 'hex')).update(content).digest('hex');
      expect(hash).toBe(row.hash);
    }
    expect(rows.length).toBeGreaterThan(5);
  });

  it('is kept when the installation is uninstalled, and continues when it is connected again', async () => {
    const leaving = await storeInstallation(connector, 'Leaving');
    const admin = await createToken(connector, leaving.id, 'admin');
    await connector.app.inject({
      method: 'DELETE',
      url: '/api/v1/installation?companyName=Leaving',
      headers: { authorization: `Bearer ${admin}` },
    });
    const kept = (await positions(leaving)).length;
    expect(kept).toBeGreaterThan(8);
    await connector.admin.query(`UPDATE installation SET state = 'authorized', uninstalled_at = NULL WHERE id = $1`, [
      leaving.id,
    ]);
    const audit = connector.app.get(VerifyAudit, { strict: false });
    expect(await audit.verify(leaving.id)).toMatchObject({
      firstBroken: undefined,
      end: { position: BigInt(kept + 1) },
    });
  });
});

interface ExportedEntry {
  readonly installation_id: string;
  readonly position: number;
  readonly occurred_at: string;
  readonly actor: string;
  readonly request_id: string | null;
  readonly object: string;
  readonly object_id: string;
  readonly action: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly hash: string;
}

/** `2026-11-20T10:00:00.123456+00:00` in microseconds since 1970. */
function microsOf(instant: string): string {
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d+))?\+00:00$/.exec(instant) ?? [];
  return `${(Date.parse(`${seconds}Z`) / 1_000).toString()}${fraction.padEnd(6, '0')}`;
}

/** As a user who may do everything, and knows of the triggers. */
async function tamper(statement: string): Promise<void> {
  await connector.admin.query('BEGIN');
  await connector.admin.query('ALTER TABLE audit_entry DISABLE TRIGGER USER');
  await connector.admin.query('ALTER TABLE audit_head DISABLE TRIGGER USER');
  const { rowCount } = await connector.admin.query(statement);
  expect(rowCount).toBeGreaterThan(0);
  await connector.admin.query('ALTER TABLE audit_entry ENABLE TRIGGER USER');
  await connector.admin.query('ALTER TABLE audit_head ENABLE TRIGGER USER');
  await connector.admin.query('COMMIT');
}
