import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlatformServer } from '../../../support/platform/platform-server.js';
import { BadRequests, type Route } from './bad-requests.js';
import { sendAll } from './bounded-work.js';
import { companyUrn } from '../installations/connect-harness.js';
import { storedState } from '../attack/stored-state.js';
import { chance, junk, PIECES } from './hostile-text.js';
import { accountRule, MappingHarness, type MappingTenant } from '../mapping/mapping-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// A thousand hostile inputs at the administration's door, and at that of files: nothing breaks, nothing takes long, nothing
// changes (I8).

/** Without a body they do what they are asked to, whatever comes with it. */
const ALWAYS_DO = ['detections', 'checks', 'secret-rotation', 'test'];

type Next = (below: number) => number;

const count = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

const pick = <T>(next: Next, list: readonly T[], fallback: T): T => list[next(list.length)] ?? fallback;
const headerText = (text: string) =>
  text
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, 4_000);

/** A body that no route takes: each has an unknown property, or is no object. */
function hostileBody(next: Next): string {
  const value = pick<unknown>(next, [junk(next), -1, 1e308, null, [], [[]], {}, { a: { b: [] } }, true], 0);
  const known = ['accounts', 'policies', 'rules', 'items', 'jobId', 'rule', 'kinds', 'role', 'label', 'status'];
  const body = { [pick(next, known, 'x')]: value, [pick(next, known, 'y')]: junk(next), unknown: value };
  const text = JSON.stringify(pick<unknown>(next, [body, body, body, [body], value], body));
  const at = next(text.length);
  return pick(
    next,
    [text, text, text.slice(0, 1 + at), `${text.slice(0, at)}\\u0000${text.slice(at)}`, `${text}}`],
    text,
  );
}

function hostileQuery(next: Next): string {
  const names = ['limit', 'after', 'format', 'state', 'version', 'reason', 'from', 'to', 'confirm', '__proto__', 'x'];
  return Array.from({ length: 1 + next(4) }, () => `${pick(next, names, 'x')}=${encodeURI(junk(next))}`).join('&');
}

describe('a thousand hostile inputs', () => {
  let door: BadRequests;
  let platform: PlatformServer;
  beforeAll(async () => {
    // Platform and ERP are there: whatever answers 5xx is broken itself.
    platform = await PlatformServer.start();
    const { url } = platform;
    door = await BadRequests.start({ PLATFORM_API_URL: url, PLATFORM_AUTH_URL: url, LEDGER_URL: url });
    platform.credentials.set(`Bearer access-${door.mine.id}`, companyUrn(door.mine.companyId));
    const settings = {
      accounts: { wallets: { EUR: '1935' } },
      policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
    };
    await door.send('PUT', '/api/v1/settings', {
      body: JSON.stringify(settings),
      headers: { 'if-match': '"0"' },
    });
  });
  afterAll(async () => {
    await door.close();
    await platform.close();
  });

  /** @returns its status */
  async function attack(index: number, route: Route): Promise<number> {
    const next = chance(index);
    const path = route.path.replace(/00000000-[0-9a-f-]+/g, () => encodeURIComponent(junk(next)).slice(0, 290));
    const isRead = route.method === 'GET';
    const isKnown = next(3) > 0 && route.method !== 'DELETE' && !ALWAYS_DO.some((end) => path.endsWith(end));
    const answer = await door.send(route.method, `${path}?${isRead || next(2) === 0 ? hostileQuery(next) : ''}`, {
      bearer: isKnown ? door.token : headerText(junk(next)),
      headers: {
        'if-match': pick(next, ['"1"', '*', headerText(junk(next))], '*'),
        'idempotency-key': headerText(junk(next)),
        'x-tenant-id': headerText(junk(next)),
        'content-type': pick(next, ['application/json', 'application/json', 'text/xml', headerText(junk(next))], ''),
      },
      ...(isRead ? {} : { body: hostileBody(next) }),
    });
    return answer.status;
  }

  it('to the administration are refused or answered, and change nothing', async () => {
    const before = await storedState(door.admin);
    const { routes } = door;
    const all = await sendAll(
      async (index) => {
        const route = routes[index % routes.length];
        return route === undefined ? 0 : attack(index, route);
      },
      () => door.send('GET', '/api/v1/me'),
    );
    expect(all.filter((status) => status < 200 || status >= 500)).toEqual([]);
    // Both sides of the guard were reached.
    expect(count(all, 401)).toBeGreaterThan(200);
    expect(count(all, 400)).toBeGreaterThan(200);
    expect(await storedState(door.admin)).toBe(before);
  });
});

describe('a thousand hostile files', () => {
  const harness = startedOnce(() => MappingHarness.start());
  let office: MappingTenant;
  beforeAll(async () => {
    office = await harness.addTenant();
    const { status } = await harness.send(office, 'POST', '/mapping/rules', {
      seen: 1,
      body: accountRule('6080', '6071'),
    });
    expect(status).toBe(201);
  });

  const GOOD = 'subject,source,target\r\naccount,6080,6071\r\naccount,6090,6071\r\n';

  function hostileFile(next: Next): Buffer {
    const at = next(GOOD.length);
    const bitten = Buffer.from(GOOD);
    bitten[at] = (bitten[at] ?? 0) ^ (1 + next(255));
    const cell = () => pick(next, [...PIECES, '=cmd()', '"', '""', '"\r\n', '\0', '\ufeff', '1E+05', '#REF!'], '');
    const row = () => Array.from({ length: 1 + next(8) }, cell).join(pick(next, [',', ';', '\t', ',,'], ','));
    const rows = Array.from({ length: 1 + next(20) }, row).join(pick(next, ['\r\n', '\n', '\r', '\n\n'], '\n'));
    return pick(
      next,
      [
        bitten,
        Buffer.from(rows),
        Buffer.from(`subject,source,target\r\n${rows}`),
        Buffer.from(GOOD, 'utf16le'),
        Buffer.from('\u001f\u008b\u0008rest', 'latin1'),
        Buffer.from('PK\u0003\u0004rest'),
        Buffer.from(`subject,source,target\r\naccount,"${'x'.repeat(100_000)}`),
        Buffer.from(`${'subject,'.repeat(10_000)}\r\n`),
        Buffer.from('"'.repeat(50_000)),
      ],
      bitten,
    );
  }

  it('are refused or only validated, and change nothing', async () => {
    const before = await storedState(harness.admin);
    const all = await sendAll(
      async (index) => {
        const next = chance(index);
        const checksum =
          next(2) === 0 ? '' : `&dryRun=false&confirm=true&checksum=${'0'.repeat(63)}${next(10).toString()}`;
        const types = ['text/csv', 'text/csv', 'text/csv; charset=utf-16', 'application/json'];
        const headers = { 'content-type': pick(next, types, 'text/csv') };
        const path = `/mapping/rules/import?mode=${pick(next, ['merge', 'replace'], 'merge')}${checksum}`;
        const { status } = await harness.send(office, 'POST', path, {
          seen: 2,
          headers,
          body: hostileFile(next),
        });
        return status;
      },
      () => harness.send(office, 'GET', '/me'),
    );
    expect([...new Set(all)].sort()).toEqual([200, 400, 409, 415, 422].filter((status) => all.includes(status)));
    expect(count(all, 200)).toBeGreaterThan(0);
    expect(count(all, 422)).toBeGreaterThan(200);
    expect(await storedState(harness.admin)).toBe(before);
  });
});
