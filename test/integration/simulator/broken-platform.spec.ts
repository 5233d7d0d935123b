// Whether the suite finds what is wrong with a platform, and nothing else: a fault of each kind, on paths of their own.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFORMANCE_ROWS } from '../../conformance/conformance-rows.js';
import { Platform, Sandbox } from '../../conformance/platform.js';
import { exportItem, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

/** All rows, one after the other, on a machine that does other things as well. */
const MAX_MS_LENGTH = 600_000;

const simulator = startedOnce(() => SimulatorHarness.start());
let platform: Platform;

beforeAll(async () => {
  const companyId = await simulator.addCompany({ multiCurrency: true });
  const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  const entryIds = await simulator.addItems(companyId, [exportItem(-100), exportItem(-200)]);
  const narrow = await simulator.control('POST', '/api-keys', { companyId, scopes: ['test:test'] });
  const address = { url: simulator.url, token, entryIds, narrowToken: textAt(narrow, 'apiKey') };
  platform = new Platform(address, new Sandbox(simulator.url, []));
  await simulator.control('PUT', '/settings', { mostActiveTagGroups: 100 });
});
afterEach(() => simulator.control('PUT', '/failures', []));

const ALL_ROWS = CONFORMANCE_ROWS.flatMap(([, rows]) => rows);

/** The facts that the platform does not keep to, of those that the rows are about. */
async function redFacts(rows: typeof ALL_ROWS): Promise<readonly string[]> {
  const red: string[] = [];
  for (const { fact, observe, expected } of rows) {
    try {
      expect(await observe(platform)).toEqual(expected);
    } catch {
      red.push(fact);
    }
    await platform.cleanUp();
  }
  return red.toSorted();
}

const FAULTS: readonly (readonly [fault: string, failure: object, facts: readonly string[]])[] = [
  [
    'a wrong status on one path',
    { method: 'GET', path: '/v0/tag-groups/*/usage', status: 500 },
    [
      'GET /v0/tag-groups/*/usage is refused to a token of the company without tag-groups:read or tag-group:read',
      'GET /v0/tag-groups/*/usage needs a credential, with the scope tag-groups:read or tag-group:read and no other',
      'GET /v0/tag-groups/*/usage of nothing is answered 404 with a type',
      'tag groups are returned with usage and aggregation',
      'the usage of a tag group counts the entries that carry each tag',
    ],
  ],
  [
    'unknown values',
    { method: 'GET', path: '/v1/introspect', answer: 'unknown_values' },
    [
      'an API key is returned with authMethod',
      'an OAuth token is described as one, of the company that was approved',
      'introspection says what a credential is',
    ],
  ],
  [
    'a body that breaks off',
    { method: 'GET', path: '/v1/subscriptions/*/secret', truncateAt: 10 },
    [
      'GET /v1/subscriptions/*/secret needs a credential, but no scope of its own',
      'GET /v1/subscriptions/*/secret of nothing is answered 404 with a type',
      'after a rotation both secrets sign, separated by a space',
      'the signature is HMAC-SHA256 over id, time and body with the decoded secret',
      'the signing secret is whsec_ and Base64',
    ],
  ],
];

const FACTS = FAULTS.flatMap(([, , facts]) => facts).toSorted();

describe('a platform', () => {
  it(
    'with all of these faults fails the rows about them, and no other',
    async () => {
      for (const [, failure] of FAULTS) {
        await simulator.control('POST', '/failures', failure);
      }
      expect(await redFacts(ALL_ROWS)).toEqual(FACTS);
    },
    MAX_MS_LENGTH,
  );

  it.each(FAULTS)(
    'with %s fails the rows about it, and none about the other faults',
    async (_fault, failure, facts) => {
      await simulator.control('POST', '/failures', failure);
      expect(await redFacts(ALL_ROWS.filter(({ fact }) => FACTS.includes(fact)))).toEqual(facts);
    },
  );
});
