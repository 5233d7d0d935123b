// The suite against a platform that runs already; run.mjs says where.
import { afterEach, describe, expect, it } from '@jest/globals';
import { CONFORMANCE_ROWS } from './conformance-rows.js';
import { Platform, Sandbox } from './platform.js';

const {
  CONFORMANCE_URL = '',
  CONFORMANCE_TOKEN = '',
  CONFORMANCE_WRITE,
  CONFORMANCE_ENTRIES = '',
  CONFORMANCE_CONTROL,
} = process.env;
const entryIds = CONFORMANCE_ENTRIES.split(',').filter((id) => id !== '');
const address = { url: CONFORMANCE_URL, token: CONFORMANCE_TOKEN, entryIds };
const platform = new Platform(address, new Sandbox(CONFORMANCE_URL, []));
const allowed = {
  read: true,
  write: CONFORMANCE_WRITE === 'true',
  export: entryIds.length > 0,
  sandbox: CONFORMANCE_CONTROL === 'true',
};
// An access token is a JWT: three parts with dots between them (given, Authentication 2).
const isApiKey = CONFORMANCE_TOKEN.split('.').length !== 3;

afterEach(() => platform.tidyUp());

describe.each(CONFORMANCE_ROWS)('%s', (_area, rows) => {
  for (const { fact, source, needs, onlyFor, observe, expected } of rows) {
    const judge = allowed[needs] && (onlyFor === undefined || isApiKey) ? it : it.skip;
    judge(`${fact} [${source}]`, async () => {
      expect(await observe(platform)).toEqual(expected);
    });
  }
});
