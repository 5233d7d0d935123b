import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import type { Tx } from '../../../../src/foundation/database/transaction.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { ErpRequestBudgetRepository } from '../../../../src/connector/erp-connections/erp-request-budget.repository.js';
import type { ErpRequestLimits, RequestShare } from '../../../../src/connector/erp-connections/domain/request-share.js';
import { MAX_WAIT_MS } from '../../../../src/connector/erp-connections/shared-erp-requests.js';
import { toInstallationId, type InstallationId } from '../../../../src/kernel/ids.js';
import { respondingWith, reset } from '../../../support/servers/misbehaving-server.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';

// The requests of all processes to the ERP of one connection; what another process does is done here on the database.

const harness = startedOnce(() => ConnectHarness.start());
let id: InstallationId;

beforeEach(async () => {
  harness.platform.restore();
  id = toInstallationId(await harness.connect(companyUrn(harness.platform.addCompany().id)));
  const settings = { url: harness.platform.url, apiKey: 'a-key-of-the-customer' };
  await call('PUT', 'erp-connection', { kind: 'ledger', settings });
});

const call = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  harness.call(method, `/api/v1/${path}`, { token: await harness.token(id), ...(body && { body }) });
const shown = async () => (await call('GET', 'erp-connection')).json;
/** What is recorded in the background. */
const shownWith = async (state: string): Promise<unknown> => {
  const json = await shown();
  return at(json, 'state') === state ? json : shownWith(state);
};
const listCompanies = () => harness.connector.app.get(ErpConnections, { strict: false }).listCompanies(id);
const failure = async () => listCompanies().catch((error: unknown) => at(error, 'failure'));

const aProcess = () => {
  const repository = new ErpRequestBudgetRepository();
  const holder = { installationId: id, generation: 1, holder: randomUUID() };
  const database = harness.connector.app.get(TenantDatabase, { strict: false });
  const inInstallation = <T>(work: (tx: Tx) => Promise<T>) => database.inInstallation('another process', id, work);
  return {
    take: (wanted: number, limits: Partial<ErpRequestLimits>, had = 0): Promise<RequestShare> =>
      inInstallation((tx) =>
        repository.takeShare(
          tx,
          holder,
          { concurrentRequests: 8, requestsPerMinute: undefined, ...limits },
          { underWay: 0, wanted, slots: had, booking: 4, trial: 'wanted' },
          MAX_WAIT_MS,
        ),
      ),
    end: () => inInstallation((tx) => repository.endShare(tx, holder)),
    pause: (ms: number) => inInstallation((tx) => repository.pause(tx, holder, ms)),
    getNoResponse: () => inInstallation((tx) => repository.markSilent(tx, id, 1, { openMs: 30_000, shownMs: 120_000 })),
  };
};

describe('an ERP that asks for a pause', () => {
  it('gets no requests from any process, which the connection shows', async () => {
    harness.platform.next('GET /companies', respondingWith(429, {}, { 'retry-after': '90' }));
    expect(await failure()).toMatchObject({ kind: 'rate-limit', retryAfterMs: 90_000 });
    const json = await shownWith('limited');
    expect(at(json, 'problem')).toMatch(/takes no more requests for now/);
    const left = await harness.row(
      `SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::int AS seconds FROM installation WHERE id = $2`,
      at(json, 'limitedUntil'),
      id,
    );
    expect(at(left, 'seconds')).toBeGreaterThan(60);
    expect(at(left, 'seconds')).toBeLessThanOrEqual(90);
    expect(await failure()).toMatchObject({ kind: 'rate-limit', message: expect.stringContaining('asked') });
    expect((await aProcess().take(1, {})).pausedMs).toBeGreaterThan(60_000);
  });

  it('in another process gets no requests from this one either', async () => {
    await aProcess().pause(90_000);
    expect(await failure()).toMatchObject({ kind: 'rate-limit', message: expect.stringContaining('asked') });
  });
});

describe('an ERP that does not respond', () => {
  it('is shown as limited, and as usual again after a while', async () => {
    // Each question is asked a few times.
    harness.platform.next('GET /companies', ...Array.from({ length: 40 }, () => reset));
    for (let times = 0; times < 4; times += 1) {
      await failure();
    }
    expect(await shownWith('limited')).toMatchObject({ problem: expect.stringContaining('not responded') });
    const circuit = `SELECT circuit_open_until > '-infinity' AS opened FROM erp_request_budget WHERE installation_id = $1`;
    expect(await harness.row(circuit, id)).toEqual({ opened: true });
    await harness.admin.query('UPDATE erp_request_budget SET silent_until = now() WHERE installation_id = $1', [id]);
    expect(await shown()).toMatchObject({ state: 'ok', problem: null, limitedUntil: null });
  });

  it('to another process gets no requests from this one either, until it responds to a test', async () => {
    await aProcess().getNoResponse();
    const calls = () => harness.platform.calls().filter((made) => made.includes('/companies')).length;
    const before = calls();
    expect(await failure()).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('not sent') });
    expect(calls()).toBe(before);
    expect((await call('POST', 'erp-connection/test', {})).status).toBe(200);
    expect((await aProcess().take(1, {})).circuitOpenMs).toBeUndefined();
    expect(await shown()).toMatchObject({ limitedUntil: null });
  });
});

describe('an ERP whose pause has ended', () => {
  const isOver = () =>
    harness.admin.query('UPDATE erp_request_budget SET circuit_open_until = now() WHERE installation_id = $1', [id]);
  const other = async () => {
    const { circuitOpenMs = -1, isTrial } = await aProcess().take(1, {});
    return { isTrial, leftAlone: circuitOpenMs > 0 };
  };
  const marked = async () =>
    at(
      await harness.row(
        `SELECT circuit_open_until > '-infinity' AS open FROM erp_request_budget WHERE installation_id = $1`,
        id,
      ),
      'open',
    );
  const isMarked = async (open: boolean): Promise<void> => ((await marked()) === open ? undefined : isMarked(open));

  /** What this process knows of the others is up to two seconds old. */
  const untilTried = (): Promise<unknown> => listCompanies().catch(untilTried);

  it('is tried by one process only', async () => {
    await aProcess().getNoResponse();
    expect(await other()).toEqual({ isTrial: false, leftAlone: true });
    await isOver();
    const others = await Promise.all([other(), other(), other()]);
    expect(others.filter(({ isTrial }) => isTrial)).toHaveLength(1);
    expect(others.filter(({ leftAlone }) => !leftAlone)).toEqual([]);
    expect(await failure()).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('not sent') });
    // The process that was to try has stopped.
    await isOver();
    await untilTried();
    await isMarked(false);
    expect(await other()).toEqual({ isTrial: false, leftAlone: false });
  });

  it('is paused for all again when it has not responded to that one', async () => {
    await aProcess().getNoResponse();
    await isOver();
    harness.platform.next('GET /companies', reset);
    expect(await failure()).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('not sent') });
    expect(await other()).toEqual({ isTrial: false, leftAlone: true });
    expect(await marked()).toBe(true);
  });
});

describe('the request share of a process', () => {
  it('leaves the others theirs, and ends with the process', async () => {
    const [one, other] = [aProcess(), aProcess()];
    expect((await one.take(8, {})).slots).toBe(8);
    expect((await other.take(8, {})).slots).toBe(0);
    expect((await one.take(8, {}, 8)).slots).toBe(4);
    expect((await other.take(8, {})).slots).toBe(4);
    await one.end();
    expect((await other.take(8, {}, 4)).slots).toBe(8);
  });

  it('expires when the process has ended without releasing it', async () => {
    await aProcess().take(8, {});
    await harness.admin.query(`UPDATE erp_request_share SET held_until = now() WHERE installation_id = $1`, [id]);
    expect((await aProcess().take(8, {})).slots).toBe(8);
  });

  it('books the requests of a minute sequentially, over all processes', async () => {
    // 48 a minute evenly, one each 1.25 s; 6 at once.
    const limits = { requestsPerMinute: 60 };
    const firsts: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      firsts.push(Math.round((await aProcess().take(1, limits)).firstInMs / 1_000));
    }
    expect(firsts).toEqual([-6, -1, 4, 9]);
  });

  it('does not affect another installation', async () => {
    await aProcess().take(8, {});
    id = toInstallationId(await harness.connect(companyUrn(harness.platform.addCompany().id)));
    const settings = { url: harness.platform.url, apiKey: 'a-key-of-the-customer' };
    await call('PUT', 'erp-connection', { kind: 'ledger', settings });
    expect((await aProcess().take(8, {})).slots).toBe(8);
  });
});
