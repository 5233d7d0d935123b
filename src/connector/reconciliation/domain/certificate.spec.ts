import { describe, expect, it } from '@jest/globals';
import { certificateText, differingFacts, type Certificate } from './certificate.js';

const side = {
  entries: 2,
  totals: [{ currency: 'EUR', debitMinor: '20000', creditMinor: '20000' }],
  digest: 'd1',
};
const certificate: Certificate = {
  sequence: 7n,
  exportJobId: 'job',
  companyId: 'company',
  erpCompanyId: 'erp',
  jobState: 'completed_with_errors',
  mappingVersion: 3,
  items: { announced: 3, successful: 2, failed: 1, pending: 0 },
  planned: side,
  erp: { ...side, digest: 'd2' },
  discrepancies: 1,
  madeAt: new Date('2026-03-02T10:00:00Z'),
  previousHash: 'h6',
  hash: 'h7',
};

describe('the canonical text of a certificate', () => {
  it('has the documented form', () => {
    expect(certificateText('mine', certificate)).toBe(
      '["mine","7","job","company","erp","completed_with_errors",3,[3,2,1,0],' +
        '[2,[["EUR","20000","20000"]],"d1"],[2,[["EUR","20000","20000"]],"d2"],1,"2026-03-02T10:00:00.000Z","h6"]',
    );
  });

  it('states that there is no certificate before it, or no ERP to query', () => {
    const first = { ...certificate, erp: null, previousHash: null, mappingVersion: null };
    expect(certificateText('mine', first)).toContain(
      '"completed_with_errors",null,[3,2,1,0],[2,[["EUR","20000","20000"]],"d1"],null,1,',
    );
  });
});

describe('two computations of one certificate', () => {
  it('that agree have no differences, in any field order of the database', () => {
    const { digest, totals, entries } = side;
    expect(differingFacts(certificate, { ...certificate, planned: { digest, totals, entries } })).toEqual([]);
  });

  it.each<[Partial<Certificate>, string]>([
    [{ jobState: 'failed' }, 'state of the job: certified "completed_with_errors", now "failed"'],
    [{ mappingVersion: 4 }, 'mapping version: certified 3, now 4'],
    [{ erpCompanyId: null }, 'ERP company: certified "erp", now null'],
    [{ items: { ...certificate.items, failed: 0 } }, 'items failed: certified 1, now 0'],
    [{ planned: { ...side, digest: 'd3' } }, 'digest planned: certified "d1", now "d3"'],
    [{ erp: { ...side, digest: 'd2', entries: 1 } }, 'entries in the ERP: certified 2, now 1'],
    [{ erp: { ...side, digest: 'd2', totals: [] } }, 'totals in the ERP: certified [["EUR","20000","20000"]], now []'],
  ])('%o', (change, expected) => {
    expect(differingFacts(certificate, { ...certificate, ...change })).toEqual([expected]);
  });
});
