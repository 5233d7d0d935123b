// npm run conformance -- --url https://… --token … [options]
// Judges a platform by the documented facts; docs/simulator.md says what each option allows. Secrets may also stand in the
// environment, out of the process list: CONFORMANCE_TOKEN, _SECRET, _REFRESH_TOKEN, _NARROW_TOKEN.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { URL, URLSearchParams } from 'node:url';
import jestConfig from '../../jest.config.js';
import { commandLineOrExit, endOverUsage } from '../../src/foundation/config/command-line.ts';

const USAGE = `usage: npm run conformance -- --url https://… --token … [--write] [--entries id,id] [--control]
  [--auth-url https://…] [--client id --secret … --redirect https://…] [--authorize | --refresh-token …]
  [--narrow-token …] [--webhook-listen port --public-url https://…] [--only words]`;
const SCOPES = 'export-jobs:read export-items:read companies:read';

const root = resolve(import.meta.dirname, '../..');
const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values } = commandLineOrExit(USAGE, {
  url: text,
  token: text,
  write: flag,
  entries: { ...text, default: '' },
  control: flag,
  'auth-url': text,
  client: text,
  secret: text,
  redirect: text,
  authorize: flag,
  'refresh-token': text,
  'narrow-token': text,
  'webhook-listen': text,
  'public-url': text,
  only: { ...text, default: '' },
});
const given = (name) => values[name] ?? process.env[`CONFORMANCE_${name.toUpperCase().replaceAll('-', '_')}`];
const plain = (address) => address.replace(/\/+$/, '');
const together = (...names) => names.every((name) => given(name)) || names.every((name) => !given(name));
const mistakes = [
  [!values.url, '--url: which server?'],
  [!given('token'), '--token, or CONFORMANCE_TOKEN: of a company on that server'],
  [!together('client', 'secret', 'redirect'), '--client, --secret and --redirect belong together'],
  [!together('webhook-listen', 'public-url'), '--webhook-listen and --public-url belong together'],
  [!/^\d*$/.test(given('webhook-listen') ?? ''), '--webhook-listen takes a port'],
  [(values.authorize || given('refresh-token')) && !given('client'), '--authorize and --refresh-token need --client'],
];
const [, mistake] = mistakes.find(([isThere]) => isThere) ?? [];
if (mistake !== undefined) endOverUsage(mistake, USAGE);

const url = plain(values.url);
await assertUsable();
const application = given('client') && {
  url: plain(given('auth-url') ?? url),
  clientId: given('client'),
  clientSecret: given('secret'),
  redirectUri: given('redirect'),
};
const approved = values.authorize
  ? await approval(application)
  : given('refresh-token') && { refreshToken: given('refresh-token') };
const address = {
  url,
  token: given('token'),
  entryIds: values.entries.split(',').filter((id) => id !== ''),
  ...(application ? { application: { ...application, ...(approved ? { approved } : {}) } } : {}),
  ...(given('narrow-token') ? { narrowToken: given('narrow-token') } : {}),
  ...(given('webhook-listen')
    ? { listening: { port: Number(given('webhook-listen')), publicUrl: given('public-url') } }
    : {}),
};

/** @returns never: a command that cannot begin has judged nothing */
function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}

/** One sentence in place of a red row for each fact. */
async function assertUsable() {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    fail(`--url: ${url} is no http address`);
  }
  const request = { headers: { authorization: `Bearer ${given('token')}` }, signal: AbortSignal.timeout(15_000) };
  const status = await fetch(`${url}/v1/introspect`, request).then(
    (response) => response.status,
    (error) => fail(`${url} cannot be reached (${error.cause?.code ?? error.name})`),
  );
  if (status === 401) {
    fail(`${url} refused the token (401)`);
  }
}

/** Shows where to approve, and takes the address the browser was sent back to. */
async function approval({ url: server, clientId, redirectUri }) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: SCOPES,
    state: randomBytes(9).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  console.log(`Approve at\n${server}/oauth/authorize?${query.toString()}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('and paste the address you come back to: ');
  terminal.close();
  const callback = new URL(answer.trim()).searchParams;
  if (callback.get('state') !== query.get('state') || callback.get('code') === null) {
    console.error('That address carries no code for this request.');
    process.exit(2);
  }
  return { code: callback.get('code'), verifier };
}

const { projects, ...settings } = jestConfig;
const integration = projects.find(({ displayName }) => displayName === 'integration');
const config = {
  ...settings,
  ...integration,
  displayName: 'conformance',
  rootDir: root,
  testMatch: ['<rootDir>/test/conformance/conformance.spec.ts'],
  globalSetup: undefined,
  globalTeardown: '<rootDir>/test/support/left-open.mjs',
  verbose: true,
  testTimeout: 120_000,
  reporters: ['default', join(import.meta.dirname, 'skipped-rows.mjs')],
};
const asked = { address, write: values.write, control: values.control, only: values.only };
const jest = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    join(root, 'node_modules/jest/bin/jest.js'),
    `--config=${JSON.stringify(config)}`,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, CONFORMANCE: JSON.stringify(asked) } },
);
process.exit(jest.status ?? 1);
