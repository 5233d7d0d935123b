import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../src/foundation/database/database.js';
import { migrateUp } from '../../../src/foundation/database/migrate.js';
import { installQueueSchema } from '../../../src/connector/tasks/install-queue-schema.js';
import { TlsDatabase } from '../../support/servers/tls-database.js';
import { createTestDatabase } from '../../support/test-database.js';
import { startedOnce } from '../../support/started-once.js';

// With sslmode=verify-full nothing is said to a database that cannot prove who it is (S36). The certificates are made by
// test/support/certificates/make.sh.

const FOLDER = join(process.cwd(), 'test/support/certificates');
const pem = (name: string) => readFileSync(join(FOLDER, `${name}.pem`), 'utf8');

const server = startedOnce(createTestDatabase);

/** Each of the programs' ways to the database. */
const WAYS: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
  [
    'the pool',
    async (url) => {
      const options = { url, schema: 'connector', applicationName: 'tls', poolSize: 1 };
      const database = await Database.connect(options);
      await database.ping();
      await database.close();
    },
  ],
  ['the queue', installQueueSchema],
  ['the migration step', (url) => migrateUp({ url, schema: 'connector', folder: 'migrations/connector' })],
];

describe.each(WAYS)('%s', (_, reach) => {
  const reachWith = async (certificate: string, query: string) => {
    const database = await TlsDatabase.start(new URL(server.url), pem('server-key'), pem(certificate));
    try {
      const url = new URL(server.url);
      url.hostname = 'localhost';
      url.port = database.port.toString();
      url.search = query;
      await reach(url.href).catch((error: unknown) => error);
      return database.sessions;
    } finally {
      await database.stop();
    }
  };
  const authority = `sslmode=verify-full&sslrootcert=${encodeURIComponent(join(FOLDER, 'authority.pem'))}`;

  it('connects to a database with a valid certificate', async () => {
    expect(await reachWith('right', authority)).toBeGreaterThan(0);
  });

  it.each([
    ['self-signed', authority],
    ['other-host', authority],
    ['expired', authority],
    ['right', 'sslmode=verify-full'],
  ])('does not connect to one whose certificate is %s, requested by %s', async (certificate, query) => {
    expect(await reachWith(certificate, query)).toBe(0);
  });
});
