import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';
import { buildTemplate, TEMPLATE } from './template-database.js';

/**
 * Once per test run: a PostgreSQL (the embedded one, or TEST_DATABASE_URL), and a template database with every
 * program's schema, which each test file clones.
 */
export default async function setUpPostgres(): Promise<void> {
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    const server = await EmbeddedPostgres.start({
      folder: join(process.cwd(), '.data/test-postgres'),
      durable: false,
    });
    process.env['TEST_DATABASE_URL'] = server.url('postgres');
    Reflect.set(globalThis, 'testPostgres', server);
  }
  await buildTemplate(process.env['TEST_DATABASE_URL'], TEMPLATE);
}
