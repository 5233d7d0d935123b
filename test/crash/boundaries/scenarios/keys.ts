import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DataKeyRepository } from '../../../../src/connector/installations/credentials/data-key.repository.js';
import type {
  KeyRingService,
  SealedColumn,
} from '../../../../src/connector/installations/credentials/key-ring.service.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { POSTING } from '../faults.js';
import { KeyRotation } from '../key-rotation.js';
import type { Prepared, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';
import { exportItems, outcomeOf, purchase } from './exports.js';

/** The job has begun, and its results are still to be reported with a token that the rotation seals. */
const MIDDLE = POSTING;
/** The program asks for the keys that it has to seal anew. Workers do the same every ten seconds: sealed before, they would be done by these. */
const BEFORE_KEYS = 'keys>db SELECT installation';
/** The connector waits for the ERP for longer than that. */
const HELD_MS = 8_000;
const TAKEN_AGAIN_S = 60;

/** Of a key of the service, with its id, or of a company's own: 12 bytes to begin with, what is sealed, 16 bytes that prove it. */
const SEALED = '^(v1[.][A-Za-z0-9-]+|v2)[.][A-Za-z0-9_-]{16}[.][A-Za-z0-9_-]*[.][A-Za-z0-9_-]{22}$';

const companiesSchema = z.object({ data: z.array(z.unknown()) });

/** The service's keys are rotated by their program while an export is under way. */
export const keys: Scenario = async (world) => {
  const { programs, tapped } = world;
  const stale = await sealAttemptAndAnswer(world);
  let sealed: Promise<void> | undefined;
  const rotation = new KeyRotation(programs.clock, programs.watch.outputOf('rotate-keys'), (name) => {
    const isDue = name === BEFORE_KEYS && sealed === undefined;
    sealed ??= isDue ? sealDataKeys(world) : undefined;
    return isDue ? sealed : undefined;
  });
  const environment = { ...tapped.environment, DATABASE_URL: await tapped.databaseOf(rotation) };
  const hasEnded = Promise.withResolvers<undefined>();
  return {
    takenAgainS: TAKEN_AGAIN_S,
    intervene: async (name) => {
      if (name === MIDDLE) {
        await Promise.race([hasEnded.promise, programs.clock.sleep(HELD_MS)]);
      }
      return undefined;
    },
    begin: async () => {
      const rotated = rotation.runUntilDone(environment, () => {
        hasEnded.resolve(undefined);
      });
      const exported = await outcomeOf(world, await exportItems(world, [purchase()]));
      const violations = await rotated;
      return {
        ...exported,
        check: async () => [
          ...violations,
          ...(await exported.check()),
          ...(await checkSecrets(world)),
          ...(await stale.remove()),
        ],
      };
    },
  } satisfies Prepared;
};

/** The keys of the companies as a process leaves them that does not have the new key yet. */
async function sealDataKeys({ database, tapped }: World): Promise<void> {
  const { before } = tapped.keys;
  const { rows } = await database.query<{ id: string; key: string }>(
    'SELECT installation_id AS id, wrapped_key AS key FROM connector.data_key',
  );
  for (const { id, key } of rows) {
    const sealed = before.seal('data_key.wrapped_key', id, before.unseal('data_key.wrapped_key', id, key));
    await database.query(
      `UPDATE connector.data_key SET wrapped_key = $2, ring_key_id = $3 WHERE installation_id = $1`,
      [id, sealed, before.primary],
    );
  }
}

/** The same of what belongs to no company. */
async function sealAttemptAndAnswer({ database, tapped }: World) {
  const { before } = tapped.keys;
  const hash = randomBytes(32);
  await database.query(
    `INSERT INTO connector.connection_attempt (state_hash, browser_hash, code_verifier, expires_at)
     VALUES ($1, '', $2, now() + interval '10 minutes')`,
    [hash, before.seal('connection_attempt.code_verifier', hash.toString('hex'), 'verifier')],
  );
  await database.query(
    `INSERT INTO connector.operator_idempotency_key (key_hash, fingerprint, attempt, begun_at, expires_at, answer)
     VALUES ($1, '', 1, now(), now() + interval '10 minutes', $2)`,
    [hash, before.seal('operator_idempotency_key.answer', 'operator', 'answer')],
  );
  return {
    /** Of these two the rows are of this round; what is left of them would be there in all later ones. */
    remove: async (): Promise<readonly string[]> => {
      const attempts = await database.query('DELETE FROM connector.connection_attempt WHERE state_hash = $1', [hash]);
      const answers = await database.query('DELETE FROM connector.operator_idempotency_key WHERE key_hash = $1', [
        hash,
      ]);
      return difference('rows that belong to no company', [attempts.rowCount, answers.rowCount], [1, 1]);
    },
  };
}

/** Every sealed value opens without the old key, and the platform takes the token. */
async function checkSecrets(world: World): Promise<readonly string[]> {
  const { programs } = world;
  const closed: string[] = [];
  const values = await sealedValues(world);
  const dataKeys = new Map(
    values.flatMap(({ table, value, row }) => (table === 'data_key' ? [[row.installation_id, value]] : [])),
  );
  for (const value of values) {
    try {
      open(world.tapped.keys.after, value, dataKeys.get(value.row.installation_id));
    } catch (error) {
      closed.push(`${value.table}.${value.column}: ${String(error)}`);
    }
  }
  // A small request that needs the platform: with the token that is stored now.
  const works = await programs.clients.connector.read('/api/v1/reference-data/companies', companiesSchema).then(
    ({ data }) => data.length > 0,
    (error: unknown) => String(error),
  );
  return [
    ...difference('values that do not open with the new key alone (S26)', closed, []),
    // The key of the company, its tokens, the secrets of its subscription, and the two that belong to no company.
    ...difference('whether sealed values were found', values.length > 6, true),
    ...difference('a request with the stored token', works, true),
  ];
}

interface SealedValue {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  readonly row: { readonly installation_id?: string; readonly state_hash?: string };
}

/** Of all columns: one that is forgotten by the rotation is not forgotten here. */
async function sealedValues({ database }: World): Promise<readonly SealedValue[]> {
  const { rows: columns } = await database.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'connector' AND data_type = 'text'`,
  );
  const statements = columns.map(
    ({ table, column }) =>
      `SELECT '${table}' AS "table", '${column}' AS "column", "${column}" AS value, to_jsonb(t) AS row
       FROM connector."${table}" t WHERE "${column}" ~ '${SEALED}'`,
  );
  return (await database.query<SealedValue>(statements.join(' UNION ALL '))).rows;
}

/** @throws Error when it does not open */
function open(ring: KeyRingService, { table, column, value, row }: SealedValue, dataKey: string | undefined): void {
  const name = `${table}.${column}` as SealedColumn;
  if (row.installation_id === undefined) {
    ring.unseal(name, row.state_hash?.replace(String.raw`\x`, '') ?? 'operator', value);
  } else if (table === 'data_key') {
    ring.unseal(name, row.installation_id, value);
  } else {
    new DataKeyRepository(ring).opened(toInstallationId(row.installation_id), dataKey ?? null).unseal(name, value);
  }
}
