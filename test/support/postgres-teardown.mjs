import tellWhatIsLeftOpen from './left-open.mjs';

export default async function tearDownPostgres() {
  globalThis.testPooler?.stop();
  globalThis.testPooler = undefined;
  await globalThis.testPostgres?.stop();
  globalThis.testPostgres = undefined;
  tellWhatIsLeftOpen();
}
