import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';

export default async function tearDownPostgres(): Promise<void> {
  const server: unknown = Reflect.get(globalThis, 'testPostgres');
  if (server instanceof EmbeddedPostgres) {
    await server.stop();
  }
}
