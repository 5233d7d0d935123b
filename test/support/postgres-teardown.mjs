import tellWhatIsLeftOpen from './left-open.mjs';
import { disconnect } from './shared-modules/server-connection.mjs';

export default async function tearDownPostgres() {
  globalThis.testPooler?.stop();
  globalThis.testPooler = undefined;
  if (globalThis.testPostgres !== undefined) {
    await disconnect();
    await globalThis.testPostgres.stop();
    globalThis.testPostgres = undefined;
  }
  tellWhatIsLeftOpen();
}
