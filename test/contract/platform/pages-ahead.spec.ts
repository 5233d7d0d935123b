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

/**
 * @param change what the platform sends in place of the item with this id
 * @returns what is read, and the places of the pages
 */
async function read(announced: number, change: readonly [id?: string, sent?: unknown] = []) {
  const [replaced, sent] = change;
  const places: string[] = [];
  const respond = async ({ path, query }: PlatformRequest) => {
    places.push(query?.has('offset') === true ? 'offset' : query?.has('after') === true ? 'cursor' : 'first');
    const { status, body } = await simulator.call('GET', `${path}?${String(query)}`, { token });
    const text = JSON.stringify(body, (_, value: unknown) => {
      const { accountingEntryId } = Object(value) as { readonly accountingEntryId?: unknown };
      return replaced !== undefined && accountingEntryId === replaced ? sent : value;
    });
    return { status, headers: {}, text };
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

  it.each([[null], [7], [{}], [{ accountingEntryId: '42' }], [{ accountingEntryId: null }]])(
    'are all others where %j stands in place of one, however its pages are read',
    async (sent) => {
      const [, second = '', ...others] = ids;
      const expected = [ids[0], ...others].toSorted();
      for (const announced of [ITEMS, 0]) {
        const { found, places } = await read(announced, [second, sent]);
        expect([found.toSorted(), places.length]).toEqual([expected, 4]);
      }
    },
  );
});
