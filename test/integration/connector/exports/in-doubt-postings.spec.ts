import { withPlan } from '../../../support/stored-plans.js';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';

// The routes on which people read what may be in the books, and say what they have found there.

const PATH = '/api/v1/in-doubt-postings';
const PLAN = [
  {
    role: 'entry',
    postingDate: '2026-02-10',
    currency: 'EUR',
    lines: [
      { account: { code: '5410' }, amountMinor: '12500' },
      { account: { code: '1935' }, amountMinor: '-12500' },
    ],
  },
];

let connector: ConnectorUnderTest;
let mine: StoredInstallation;
let other: StoredInstallation;

const field = (json: unknown, name: string): unknown => Reflect.get(Object(json), name);

/** What the ERP shows under a key when it is searched; `reversed` for what is out of the balances. */
const shown = new Map<string, 'standing' | 'reversed'>();
let isErpAway = false;
const erp = createServer((request, answer) => {
  void readJson(request).then((asked) => {
    const data = (field(asked, 'keys') as readonly string[]).map((key) => {
      const state = shown.get(key);
      return state === undefined
        ? { outcome: 'absent', key }
        : {
            outcome: 'found',
            key,
            contentDigest: 'digest',
            revision: 1,
            reversed: state === 'reversed',
            entries: [{ id: 'J-9', role: 'entry', state: 'posted', number: '2026-000009', url: '/entries/J-9' }],
            warnings: [],
          };
    });
    answer.writeHead(isErpAway ? 500 : 200, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(isErpAway ? {} : { data }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => erp.listen(0, '127.0.0.1', resolve));
  const { port } = erp.address() as AddressInfo;
  connector = await startConnectorApp({ LEDGER_URL: `http://127.0.0.1:${port.toString()}` });
});
beforeEach(async () => {
  mine = await storeInstallation(connector, 'Mine');
  other = await storeInstallation(connector, 'Other');
  isErpAway = false;
});
afterAll(async () => {
  await connector.close();
  erp.close();
  erp.closeAllConnections();
});

async function call(method: 'GET' | 'POST', url: string, token: string, payload?: object) {
  const answer = await connector.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  });
  const json: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
  return { status: answer.statusCode, type: answer.headers['content-type'], json };
}

const tokenOf = ({ id }: StoredInstallation, role: Role) => createToken(connector, id, role);

/** @returns the accounting entries, in the list's order */
async function addInDoubt(
  installation: StoredInstallation,
  count: number,
  state: 'uncertain' | 'rejected' = 'uncertain',
): Promise<readonly string[]> {
  await connector.admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
     VALUES ($1, 1, '{}', 'test', now()) ON CONFLICT DO NOTHING`,
    [installation.id],
  );
  const job = randomUUID();
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, 'failed', 1, false, now(), now(), now(), now())`,
    [installation.id, job, installation.companyId],
  );
  // Two of them at the same moment, so that the id has to tell them apart, and the last one first.
  const ids = Array.from({ length: count }, () => randomUUID()).sort();
  for (const [index, id] of [...ids.entries()].reverse()) {
    await connector.admin.query(
      `${withPlan('$1', '$3', '$2', '$4')}
       INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, plan_chunk_id, fence, state, created_at, sent_at)
       SELECT $1, 'erp-company', $2, $3, 1, 'digest', id, 1, $5, $6, '2026-11-20T10:30:00Z' FROM chunk`,
      [installation.id, id, job, JSON.stringify(PLAN), state, new Date(Date.UTC(2026, 10, 20, 10, index >> 1))],
    );
  }
  return ids;
}

const idsIn = (json: unknown) =>
  (field(json, 'data') as readonly { accountingEntryId: string }[]).map((each) => each.accountingEntryId);

describe('the list of postings in doubt', () => {
  it('states what was sent, where and what to look for, and what the ERP can do', async () => {
    const [id = ''] = await addInDoubt(mine, 1);
    const { json } = await call('GET', PATH, await tokenOf(mine, 'viewer'));
    expect(json).toEqual({
      data: [
        {
          accountingEntryId: id,
          reference: id,
          exportJobId: expect.any(String),
          erpCompanyId: 'erp-company',
          sentAt: '2026-11-20T10:30:00.000Z',
          entries: [
            {
              role: 'entry',
              postingDate: '2026-02-10',
              currency: 'EUR',
              lines: [
                {
                  accountCode: '5410',
                  amount: '125.00',
                  money: { amountMinor: '12500', currency: 'EUR', exponent: 2 },
                },
                {
                  accountCode: '1935',
                  amount: '-125.00',
                  money: { amountMinor: '-12500', currency: 'EUR', exponent: 2 },
                },
              ],
              lineCount: 2,
            },
          ],
        },
      ],
      nextCursor: null,
    });
  });

  it('is paged by cursor, oldest first, without gaps or duplicates', async () => {
    const ids = await addInDoubt(mine, 5);
    await addInDoubt(other, 2);
    await addInDoubt(mine, 1, 'rejected');
    const token = await tokenOf(mine, 'viewer');
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 5; page += 1) {
      const { json } = await call('GET', `${PATH}?limit=2${after}`, token);
      seen.push(...idsIn(json));
      const cursor = field(json, 'nextCursor');
      if (typeof cursor !== 'string') {
        break;
      }
      after = `&after=${encodeURIComponent(cursor)}`;
    }
    expect(seen).toEqual(ids);
  });

  it.each(['limit=0', 'limit=101', 'after=forged', 'after=W10', 'unknown=1'])(
    'with ?%s is a bad request',
    async (query) => {
      const { status, type } = await call('GET', `${PATH}?${query}`, await tokenOf(mine, 'viewer'));
      expect([status, type]).toEqual([400, 'application/problem+json']);
    },
  );
});

describe('a manual resolution', () => {
  const resolve = async (installation: StoredInstallation, id: string, body: object) =>
    call('POST', `${PATH}/${id}/resolution`, await tokenOf(installation, 'bookkeeper'), body);

  it.each([
    [{ outcome: 'not-in-the-books', note: 'looked twice' }, 'rejected', null],
    [{ outcome: 'in-the-books', externalId: 'J-7', externalUrl: 'http://erp/J-7' }, 'posted', 'J-7'],
  ])('%j settles the posting and records the person', async (body, state, externalId) => {
    const [id = ''] = await addInDoubt(mine, 1);
    expect((await resolve(mine, id, body)).status).toBe(204);
    const { rows } = await connector.admin.query(
      `SELECT state, intent.external_id, outcome, note, resolved_by ~ '^token [0-9a-f-]+$' AS by_token,
         resolved_at > now() - interval '1 minute' AS just_now
       FROM posting_intent intent JOIN posting_resolution resolution USING (installation_id, accounting_entry_id)
       WHERE accounting_entry_id = $1`,
      [id],
    );
    const { outcome } = body;
    const note = 'note' in body ? body.note : null;
    expect(rows).toEqual([{ state, external_id: externalId, outcome, note, by_token: true, just_now: true }]);
    expect(idsIn((await call('GET', PATH, await tokenOf(mine, 'viewer'))).json)).toEqual([]);
  });

  it.each([
    ['standing', 409, 'urn:problem:entry-still-in-erp'],
    ['reversed', 204, undefined],
  ] as const)('"not in the books" for an entry that the ERP shows %s: %i [D3.26]', async (state, status, problem) => {
    const [id = ''] = await addInDoubt(mine, 1);
    shown.set(id, state);
    const answer = await resolve(mine, id, { outcome: 'not-in-the-books' });
    expect([answer.status, field(answer.json, 'type')]).toEqual([status, problem]);
    const left = problem === undefined ? [] : [id];
    expect(idsIn((await call('GET', PATH, await tokenOf(mine, 'viewer'))).json)).toEqual(left);
  });

  it('"not in the books" changes nothing while the ERP does not respond [D3.26]', async () => {
    const [id = ''] = await addInDoubt(mine, 1);
    isErpAway = true;
    const { status, json } = await resolve(mine, id, { outcome: 'not-in-the-books' });
    expect([status, field(json, 'type')]).toEqual([503, 'urn:problem:erp-unavailable']);
    expect(idsIn((await call('GET', PATH, await tokenOf(mine, 'viewer'))).json)).toEqual([id]);
  });

  it('of a posting that is not in doubt is refused', async () => {
    const [rejected = ''] = await addInDoubt(mine, 1, 'rejected');
    const [id = ''] = await addInDoubt(mine, 1);
    await resolve(mine, id, { outcome: 'not-in-the-books' });
    for (const certain of [rejected, id]) {
      const { status, type, json } = await resolve(mine, certain, { outcome: 'not-in-the-books' });
      expect([status, type, field(json, 'type')]).toEqual([
        409,
        'application/problem+json',
        'urn:problem:not-in-doubt',
      ]);
    }
  });

  it('of another tenant’s posting gets the same response as an unknown one, and changes nothing', async () => {
    const [foreign = ''] = await addInDoubt(other, 1);
    for (const id of [foreign, randomUUID(), 'nonsense']) {
      const { status, json } = await resolve(mine, id, { outcome: 'not-in-the-books' });
      expect([status, field(json, 'detail')]).toEqual([
        404,
        'There is no such accounting entry that was sent to the ERP.',
      ]);
    }
    expect(idsIn((await call('GET', PATH, await tokenOf(other, 'viewer'))).json)).toEqual([foreign]);
  });

  it.each([
    [{}, ['/outcome']],
    [{ outcome: 'perhaps' }, ['/outcome']],
    [{ outcome: 'in-the-books' }, ['/externalId']],
    [{ outcome: 'in-the-books', externalId: ' ' }, ['/externalId']],
    [{ outcome: 'in-the-books', externalId: 7 }, ['/externalId']],
    [{ outcome: 'in-the-books', externalId: 'x'.repeat(256) }, ['/externalId']],
    [{ outcome: 'in-the-books', externalId: 'J-1', externalUrl: 'javascript:alert(1)' }, ['/externalUrl']],
    [{ outcome: 'not-in-the-books', externalId: 'J-1' }, ['/externalId']],
    [{ outcome: 'not-in-the-books', externalUrl: 'https://erp/1' }, ['/externalUrl']],
    [{ outcome: 'not-in-the-books', note: 'x'.repeat(1_001) }, ['/note']],
    [{ outcome: 'not-in-the-books', erpCompanyId: '' }, ['/erpCompanyId']],
    [{ outcome: 'not-in-the-books', other: 1 }, ['/other']],
  ])('%j is a bad request', async (body, pointers) => {
    const [id = ''] = await addInDoubt(mine, 1);
    const { status, json } = await resolve(mine, id, body);
    const errors = field(json, 'errors') as readonly { pointer: string }[];
    expect([status, [...new Set(errors.map(({ pointer }) => pointer))]]).toEqual([400, pointers]);
    expect(idsIn((await call('GET', PATH, await tokenOf(mine, 'viewer'))).json)).toEqual([id]);
  });
});
