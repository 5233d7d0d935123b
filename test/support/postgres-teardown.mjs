import tellWhatIsLeftOpen from './left-open.mjs';
import { administer, disconnect } from './shared-modules/server-connection.mjs';
import { releaseMemory, serverFolder } from './servers/server-folder.mjs';

/** Of failed tests, for a look, and what took long to install. */
const KEPT = "SELECT FROM pg_database WHERE datname !~ '^(postgres|template[01]|connector_test_template_[0-9]+)$'";

export default async function tearDownPostgres() {
  globalThis.testPooler?.stop();
  globalThis.testPooler = undefined;
  if (globalThis.testPostgres !== undefined) {
    const kept = await administer(KEPT);
    await disconnect();
    await globalThis.testPostgres.stop();
    globalThis.testPostgres = undefined;
    if (kept.length === 0) {
      await releaseMemory(serverFolder());
    }
  }
  tellWhatIsLeftOpen();
}
