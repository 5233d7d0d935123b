// Whether the rows about pages find a platform that breaks them: a proxy in front of the simulator breaks one fact at a time.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { LIST_ROWS } from '../../conformance/rows/list-rows.js';
import { PAGING_ROWS } from '../../conformance/rows/paging-rows.js';
import { at, Platform, Sandbox } from '../../conformance/platform.js';
import { startedOnce } from '../../support/started-once.js';
import { SimulatorHarness, textAt } from './simulator-harness.js';

interface Fault {
  /** Changes what the simulator is asked. */
  readonly ask?: (query: URLSearchParams) => void;
  /** Changes what it answered to a list. */
  readonly answer?: (list: { data: readonly unknown[]; pagination: { total: number } }) => void;
  /** The facts that break with it. */
  readonly breaks: RegExp;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'takes before, after and offset together': {
    ask: (query) => {
      const [first, ...others] = ['before', 'after', 'offset'].filter((name) => query.has(name));
      for (const name of first === undefined ? [] : others) {
        query.delete(name);
      }
    },
    breaks: /exclude each other$|refuses before, after and offset together$/,
  },
  'gives the first elements of the list before a cursor': {
    ask: (query) => {
      query.delete('before');
    },
    // With both, only the other one is left.
    breaks: /^before gives|^(before and (after|offset) exclude)|refuses before, after and offset together$/,
  },
  'counts the page instead of the list': {
    answer: ({ data, pagination }) => {
      pagination.total = data.length;
    },
    breaks: /^total counts|^(?!GET \/v1\/companies ).* tells how many elements its list has$/,
  },
  'always says a total of 0': {
    answer: ({ pagination }) => {
      pagination.total = 0;
    },
    breaks: /^total counts|tells how many elements its list has$/,
  },
};
const ROWS = [...PAGING_ROWS, ...LIST_ROWS].filter(({ fact }) =>
  /exclude each other|^before gives|backwards by|^total counts|of at most limit|tells how many|refuses before/.test(
    fact,
  ),
);

const simulator = startedOnce(() => SimulatorHarness.start());
let fault: Fault | undefined;
let proxy: Server;
let platform: Platform;

beforeAll(async () => {
  proxy = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', simulator.url);
      fault?.ask?.(url.searchParams);
      const body = await text(request);
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
      const { method = 'GET' } = request;
      const answer = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
      const content: unknown = await answer.json().catch(() => undefined);
      if (at(content, 'pagination') !== undefined) {
        fault?.answer?.(content as Parameters<NonNullable<Fault['answer']>>[0]);
      }
      response.writeHead(answer.status).end(content === undefined ? undefined : JSON.stringify(content));
    })();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const companyId = await simulator.addCompany();
  const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  platform = new Platform({ url, token, entryIds: [] }, new Sandbox(url, []));
});
afterAll(() => {
  proxy.close();
  proxy.closeAllConnections();
});

/** The facts that the platform does not keep to. */
async function redFacts(): Promise<readonly string[]> {
  const red: string[] = [];
  for (const { fact, observe, expected } of ROWS) {
    try {
      expect(await observe(platform)).toEqual(expected);
    } catch {
      red.push(fact);
    }
    await platform.cleanUp();
  }
  return red;
}

describe('a platform with paging', () => {
  it('without faults fails no row about pages', async () => {
    fault = undefined;
    expect(await redFacts()).toEqual([]);
    expect(ROWS.length).toBe(6 + 3 * 15);
  }, 120_000);

  it.each(Object.entries(FAULTS))(
    'that %s fails the rows about it, and no other',
    async (_what, broken) => {
      fault = broken;
      const facts = ROWS.map(({ fact }) => fact).filter((fact) => broken.breaks.test(fact));
      expect(facts.length).toBeGreaterThan(0);
      expect(await redFacts()).toEqual(facts);
    },
    120_000,
  );
});
