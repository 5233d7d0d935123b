import { beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { firstCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { ADMIN_ROUTES } from '../integration/connector/api/admin-routes.js';
import { RunningPrograms } from '../support/running-programs.js';
import { SecretSearch } from '../support/secret-search.js';
import { startedOnce } from '../support/started-once.js';

// At the end of this run, as of every other of all programs, the secrets that took part are searched for in all log lines,
// answers, metrics and columns (I20, S56). Here everything is read before, and the search itself
// is looked at: it knows every secret, and has looked everywhere.

const jobsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

const keySchema = z.object({ apiKey: z.string() });

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));

beforeAll(async () => {
  await triggerExport(programs.clients.simulator);
  await programs.verdict();
  await connectErp();
});

/** With credentials of the installation's own. */
async function connectErp(): Promise<void> {
  const { connector, ledger } = programs.clients;
  const path = `/companies/${firstCustomer.company.ledgerId}/api-keys`;
  const { apiKey } = ledger.parse(keySchema, await ledger.post(path, {}), path);
  const settings = { url: programs.ledgerProxy.url, apiKey };
  await connector.put('/api/v1/erp-connection', { json: { kind: 'ledger', settings, confirmChange: true } });
}

async function readEverything(): Promise<void> {
  const { connector } = programs.clients;
  const { data } = await connector.read('/api/v1/jobs', jobsSchema);
  const installation = ADMIN_ROUTES.filter(([method]) => method === 'GET').map(([, path]) =>
    path.replace(/\{[^}]+\}/g, data[0]?.id ?? ''),
  );
  for (const path of [...installation, '/connect', '/settings', '/nowhere', '/api/openapi.json']) {
    await connector.find(path, z.unknown()).catch(() => undefined);
  }
}

it('no secret is in a log line, a response, a metric or a column', async () => {
  await readEverything();
  await programs.stop();
  const { search } = programs.watch;
  expect([...search.known]).toEqual(
    expect.arrayContaining([
      'PLATFORM_CLIENT_SECRET',
      'LEDGER_API_KEY',
      'OPERATOR_TOKEN',
      'key of CREDENTIAL_KEYS',
      'API token',
      'authorization code',
      'state',
      'cookie',
      'webhook address',
      'webhook header',
      'access token',
      'credential.refresh_token',
      'subscription.secret',
      'erp_connection.sealed_secrets',
      'data key',
    ]),
  );
  for (const program of ['connector api', 'connector worker', 'simulator', 'ledger']) {
    expect(search.textOf(`log of the ${program}`)).toContain('"level":"debug"');
  }
  expect(search.textOf('metrics')).toContain('connector_');
  expect(search.textOf('table connector.installation')).not.toBe('');
  expect(search.textOf('answers of the connector to GET /api/v1/jobs')).toContain('"numberOfItems":147');
  expect(search.places.filter((place) => place.startsWith('answers of')).length).toBeGreaterThan(30);
});

it('no name of a person and no note is in a column, and no name of a supplier in a log', () => {
  const { search } = programs.watch;
  // People who sign in to the connector are known to it by name.
  const tables = search.places.filter((place) => place.startsWith('table ') && !/\.(member|audit_entry)$/.test(place));
  expect(search.textOf('table connector.plan_chunk')).toContain('"amountMinor"');
  const lines = firstCustomer.items.filter(({ entry }) => entry.vendor === undefined).map(({ entry }) => entry);
  // Vendors are master data, and may be employees.
  const vendors = JSON.stringify(firstCustomer.lists);
  const planted = (texts: readonly string[]) => [...new Set(texts)].filter((text) => !vendors.includes(text));
  const found = (texts: readonly string[], places: readonly string[]) =>
    places.flatMap((place) => {
      const content = search.textOf(place);
      return texts.filter((text) => content.includes(text)).map((text) => `${text} in ${place}`);
    });
  const people = firstCustomer.people.flatMap(({ firstName, lastName }) => [
    `${firstName} ${lastName}`,
    `"${lastName}"`,
  ]);
  const notes = planted([...people, ...lines.map(({ note }) => note).filter((note) => note.length > 8)]);
  expect(notes.length).toBeGreaterThan(80);
  expect(found(notes, tables)).toEqual([]);
  const suppliers = planted(lines.map(({ supplier }) => supplier ?? '').filter((name) => name.length > 8));
  expect(found(suppliers, ['table connector.item_chunk'])).toHaveLength(suppliers.length);
  expect(found(suppliers, ['log of the connector api', 'log of the connector worker'])).toEqual([]);
});

const SECRET = 'whsec_cGFzcyB3b3JkIG9mIHRoZSB0ZXN0cw+/=';

it.each([
  ['as it is', SECRET],
  ['without its prefix', SECRET.slice('whsec_'.length)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 of addresses', Buffer.from(SECRET).toString('base64url')],
  ['in hexadecimal digits', Buffer.from(SECRET).toString('hex')],
  ['as the bytes it stands for', Buffer.from(SECRET.slice('whsec_'.length), 'base64').toString('hex')],
  ['in an address', encodeURIComponent(SECRET)],
])('a leaked secret %s is found, and reported without its value', (_, form) => {
  const search = new SecretSearch({});
  search.learn('signing secret', SECRET);
  search.logOf('worker').write(`{"msg":"a line"}\n`);
  expect(search.leaks()).toEqual([]);
  search.logOf('worker').write(`{"msg":"x${form}x"}\n`);
  expect(search.leaks()).toEqual(['signing secret in log of the worker']);
});

it.each([
  ['OPERATOR_TOKEN', 'a-token-of-the-operator', 'OPERATOR_TOKEN', 'a-token-of-the-operator'],
  ['CREDENTIAL_KEYS', 'a:first-key-of-two,b:other-key-of-two', 'key of CREDENTIAL_KEYS', 'other-key-of-two'],
  ['CONNECTOR_SMTP_URL', 'smtp://me:password-of-mails@mail', 'password of CONNECTOR_SMTP_URL', 'x password-of-mails x'],
])('a secret in %s is searched for', (name, value, kind, text) => {
  const search = new SecretSearch({ [name]: value });
  search.addText('an answer', text);
  expect(search.leaks()).toEqual([`${kind} in an answer`]);
});
