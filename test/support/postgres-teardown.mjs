import tellWhatIsLeftOpen from './left-open.mjs';

export default async function tearDownPostgres() {
  await globalThis.testPostgres?.stop();
  globalThis.testPostgres = undefined;
  tellWhatIsLeftOpen();
}
