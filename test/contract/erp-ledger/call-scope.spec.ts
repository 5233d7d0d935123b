import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { LeaseLost } from '../../../src/connector/runs/lease.js';
import type { OpenAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { toErpCompanyId, toInstallationId } from '../../../src/kernel/ids.js';
import { openLedgerAdapter, patientCaller } from '../../support/one-erp.js';
import { MisbehavingServer, respondingWith } from '../../support/servers/misbehaving-server.js';
import { postingGroup } from '../../../src/erp-contract/posting-group.builder.js';

// No call of an adapter writes after the lease has gone, begins a request after its deadline, or after its caller stopped.

const lost = new LeaseLost(
  { installationId: toInstallationId('0198c5a0-0000-7000-8000-000000000001'), fence: 1n },
  'gone',
);
const company = toErpCompanyId('c');

let server: MisbehavingServer;
let adapter: OpenAdapter;

beforeAll(async () => {
  server = await MisbehavingServer.start();
  adapter = openLedgerAdapter(server.url, 'some-key-of-the-ledger');
});
beforeEach(() => {
  server.plan();
});
afterAll(async () => {
  adapter.close();
  await server.close();
});

it('a post of several requests stops between two of them when the lease is lost, without an outcome', async () => {
  let asked = 0;
  const erp = adapter.forCompany({
    ...patientCaller(),
    company,
    assertOwner() {
      asked += 1;
      if (asked > 2) {
        throw lost;
      }
    },
  });
  // Too large for one request: the adapter halves it.
  server.plan(respondingWith(413, {}), respondingWith(500, {}));
  await expect(erp.post(['a', 'b', 'c', 'd'].map((key) => postingGroup(key)))).rejects.toBe(lost);
  expect(server.requests).toHaveLength(2);
});

it('a look-up needs no lease, because it changes nothing', async () => {
  const erp = adapter.forCompany({
    ...patientCaller(),
    company,
    assertOwner() {
      throw lost;
    },
  });
  server.plan(respondingWith(200, { data: [{ key: 'a', outcome: 'absent' }] }));
  expect(await erp.findPosted(['a'])).toEqual(new Map());
});

it('nothing is sent after the deadline, or once the caller has stopped', async () => {
  const late = adapter.forCompany({ ...patientCaller(-1), company });
  expect(await late.post([postingGroup('a')])).toMatchObject([{ outcome: 'not-sent', failure: { kind: 'timeout' } }]);
  const stopped = adapter.forCompany({ ...patientCaller(), company, signal: AbortSignal.abort(lost) });
  await expect(stopped.post([postingGroup('a')])).rejects.toBe(lost);
  expect(server.requests).toEqual([]);
});
