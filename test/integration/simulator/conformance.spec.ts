// Our own simulator under the suite that anybody can point at a platform.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { CONFORMANCE_ROWS } from '../../conformance/conformance-rows.js';
import { Platform } from '../../conformance/platform.js';
import { at, exportItem, SimulatorHarness, textAt } from './simulator-harness.js';

let simulator: SimulatorHarness;
let platform: Platform;

beforeAll(async () => {
  simulator = await SimulatorHarness.start();
  const companyId = await simulator.addCompany({ multiCurrency: true });
  const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  const entryIds = await simulator.addItems(companyId, [exportItem(-100), exportItem(-200)]);
  platform = new Platform({ url: simulator.url, token, entryIds });
  // Room for the groups of rows whose tidying up is not over yet.
  await simulator.control('PUT', '/settings', { mostActiveTagGroups: 100 });
});
afterAll(() => simulator.stop());
afterEach(() => platform.tidyUp());

describe.each(CONFORMANCE_ROWS)('%s', (_area, rows) => {
  it.each(rows)('$fact [$source]', async ({ observe, expected }) => {
    expect(await observe(platform)).toEqual(expected);
  });
});

describe('the suite', () => {
  it('calls every operation that the simulator documents', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const documented = Object.entries(Object.assign({}, at(body, 'paths')))
      .filter(([path]) => /^\/v\d/.test(path))
      .flatMap(([path, methods]) =>
        Object.keys(Object.assign({}, methods)).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '*')}`,
        ),
      );
    expect(documented.length).toBeGreaterThan(60);
    expect(documented.filter((operation) => !platform.called.has(operation))).toEqual([]);
  });

  it('names a source for every fact, and no fact twice', () => {
    const rows = CONFORMANCE_ROWS.flatMap(([, each]) => each);
    expect(rows.filter(({ source }) => !/^(given|wire-facts)/.test(source))).toEqual([]);
    expect(new Set(rows.map(({ fact }) => fact)).size).toBe(rows.length);
  });

  it('has no row that a platform passes which answers 500 to everything', async () => {
    const server = createServer((_request, response) => response.writeHead(500).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const broken = new Platform({ ...platform.address, url: `http://127.0.0.1:${port}` });
    const green: string[] = [];
    for (const { fact, observe, expected } of CONFORMANCE_ROWS.flatMap(([, rows]) => rows)) {
      try {
        expect(await observe(broken)).toEqual(expected);
        green.push(fact);
      } catch {
        await broken.tidyUp();
      }
    }
    server.close();
    server.closeAllConnections();
    expect(green).toEqual([]);
  });
});
