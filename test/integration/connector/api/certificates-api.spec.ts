import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateRepository } from '../../../../src/connector/reconciliation/certificates/certificate.repository.js';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// The routes on which people read what each job has left in the books.

const CERTIFICATES = '/api/v1/certificates';
const EUR_200 = { amountMinor: '20000', currency: 'EUR', exponent: 2 };
const side = {
  entries: 2,
  totals: [{ currency: 'EUR', debitMinor: '20000', creditMinor: '20000' }],
  digest: 'a'.repeat(64),
};

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
let other: StoredInstallation;
let token: string;

beforeEach(async () => {
  mine = await storeInstallation(connector, 'Mine');
  other = await storeInstallation(connector, 'Other');
  token = await createToken(connector, mine.id, 'viewer');
});

async function call(method: 'GET' | 'POST', url: string, bearer: string, payload?: object) {
  const headers = { authorization: `Bearer ${bearer}` };
  const answer = await connector.app.inject({ method, url, headers, ...(payload && { payload }) });
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    json: JSON.parse(answer.body) as unknown,
  };
}

/** @returns the jobs, in the order of their certificates */
async function certify({ id, companyId }: StoredInstallation, jobs: number): Promise<readonly string[]> {
  const ids = Array.from({ length: jobs }, () => randomUUID());
  for (const exportJobId of ids) {
    await connector.admin.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at)
       VALUES ($1, $2, $3, 'completed', 2, false, now(), now(), now(), now())`,
      [id, exportJobId, companyId],
    );
    await connector.runtime.database.inInstallation('certify', id, (tx) =>
      new CertificateRepository().append(tx, id, {
        exportJobId,
        companyId,
        erpCompanyId: 'erp',
        jobState: 'completed',
        mappingVersion: 3,
        items: { announced: 2, successful: 2, failed: 0, pending: 0 },
        planned: side,
        erp: null,
        discrepancies: 1,
        madeAt: new Date('2026-03-02T10:00:00Z'),
      }),
    );
  }
  return ids;
}

interface Listed {
  readonly data: readonly { readonly exportJobId: string; readonly sequence: string }[];
  readonly nextCursor: string | null;
}

describe('certificates', () => {
  it('are listed in the order of their chain, page by page, for the own installation only', async () => {
    const jobs = await certify(mine, 3);
    await certify(other, 1);
    const first = (await call('GET', `${CERTIFICATES}?limit=2`, token)).json as Listed;
    const next = `${CERTIFICATES}?limit=2&after=${first.nextCursor ?? ''}`;
    const second = (await call('GET', next, token)).json as Listed;
    const listed = [...first.data, ...second.data];
    expect(listed.map(({ exportJobId, sequence }) => [exportJobId, sequence])).toEqual(
      jobs.map((job, index) => [job, (index + 1).toString()]),
    );
    expect(second.nextCursor).toBeNull();
  });

  it.each(['after=nonsense', 'limit=101', 'limit=0'])('are not listed with ?%s', async (query) => {
    const answer = await call('GET', `${CERTIFICATES}?${query}`, token);
    expect(answer.status).toBe(400);
    expect(answer.type).toContain('application/problem+json');
  });
});

describe('the certificate of a job', () => {
  it('states what was certified, and the certificate it is chained to', async () => {
    const [job = ''] = await certify(mine, 1);
    const { status, json } = await call('GET', `${CERTIFICATES}/${job.toUpperCase()}`, token);
    expect(status).toBe(200);
    expect(json).toEqual({
      sequence: '1',
      exportJobId: job,
      erpCompanyId: 'erp',
      jobState: 'completed',
      mappingVersion: 3,
      items: { announced: 2, successful: 2, failed: 0, pending: 0 },
      planned: { ...side, totals: side.totals.map((total) => ({ ...total, debit: EUR_200, credit: EUR_200 })) },
      erp: null,
      discrepancies: 1,
      madeAt: '2026-03-02T10:00:00.000Z',
      previousHash: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is not found for a job without one, for a job of another installation, or for an unknown id', async () => {
    const [foreign = ''] = await certify(other, 1);
    for (const id of [randomUUID(), foreign, 'none']) {
      const answer = await call('GET', `${CERTIFICATES}/${id}`, token);
      expect(answer.status).toBe(404);
      expect(answer.type).toContain('application/problem+json');
    }
  });
});
