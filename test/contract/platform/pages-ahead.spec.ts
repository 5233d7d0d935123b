import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlatformApi } from '../../../src/connector/platform/platform-api.js';
import type {
  PlatformAuthorization,
  PlatformHttp,
  PlatformRequest,
} from '../../../src/connector/platform/platform-http.js';
import { exportItem, SimulatorHarness, textAt } from '../../integration/simulator/simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

// The items of a job as the connector reads them, from the platform's own paging.

const ITEMS = 350;
const simulator = startedOnce(() => SimulatorHarness.start());
const authorization: PlatformAuthorization = {
  accessToken: () => Promise.resolve(''),
  renewed: () => Promise.resolve(''),
};
let token: string;
let jobId: string;
let ids: readonly string[];

beforeAll(async () => {
  const companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  ids = await simulator.addItems(
    companyId,
    Array.from({ length: ITEMS }, (_, index) => exportItem(-100 - index)),
  );
  jobId = await simulator.triggerExport(companyId);
});

/** @returns what is read, and the places of the pages */
async function read(announced: number) {
  const places: string[] = [];
  const respond = async ({ path, query }: PlatformRequest) => {
    places.push(query?.has('offset') === true ? 'offset' : query?.has('after') === true ? 'cursor' : 'first');
    const { status, body } = await simulator.call('GET', `${path}?${String(query)}`, { token });
    return { status, headers: {}, text: JSON.stringify(body) };
  };
  const http: Pick<PlatformHttp, 'fetch'> = { fetch: async (_, request, take) => take(await respond(request)) };
  const found: string[] = [];
  for await (const items of new PlatformApi(http as PlatformHttp).exportItemPages(authorization, jobId, announced)) {
    found.push(...items.map(({ accountingEntryId }) => accountingEntryId));
  }
  return { found, places };
}

describe('the items of a job', () => {
  it('are the same by offset as by cursor, in the same order', async () => {
    const [byOffset, byCursor] = [await read(ITEMS), await read(0)];
    expect(byOffset.places).toEqual(['first', 'offset', 'offset', 'offset']);
    expect(byCursor.places).toEqual(['first', 'cursor', 'cursor', 'cursor']);
    expect(byOffset.found).toEqual(byCursor.found);
    expect(byOffset.found.toSorted()).toEqual(ids.toSorted());
  });
});
