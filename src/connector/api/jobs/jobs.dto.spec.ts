import { describe, expect, it } from '@jest/globals';
import type { JobView } from '../../exports/stores/export-job.reader.js';
import { toJobResponse } from './jobs.dto.js';

const AT = new Date('2026-03-02T10:00:00Z');
const REASON = 'The verdict could not be sent.';
const ENDED: JobView = {
  id: '0b9a4f50-0000-4000-8000-000000000001',
  companyId: '0b9a4f50-0000-4000-8000-000000000002',
  state: 'failed',
  numberOfItems: 3,
  successful: 0,
  failed: 3,
  mappingVersion: 1,
  detectedAt: AT,
  startedAt: AT,
  finishedAt: AT,
  expiresAt: AT,
  failureType: 'authorization_failure',
  failureReason: REASON,
  failureMessages: null,
  notice: null,
  waitingFor: null,
  nextAttemptAt: null,
  requestedBy: null,
  amounts: [{ currency: 'JPY', minor: '1500' }],
};

describe('a job as the API shows it', () => {
  it('has the reason that the platform got', () => {
    expect(toJobResponse(ENDED, 'en')).toMatchObject({ failureReason: REASON, reportedReason: REASON });
  });

  it('has none of those where it expired, since the platform got no verdict', () => {
    const expired = toJobResponse({ ...ENDED, state: 'expired' }, 'en');
    expect(expired).toMatchObject({ failureReason: REASON, reportedReason: null });
  });

  it.each<[JobView['state'], string, RegExp]>([
    ['expired', 'en', /^The platform ended this export because it had no verdict.* Press Export on the platform again/],
    ['expired', 'de', /^Die Plattform hat diesen Export beendet.* Exportieren Sie die übrigen/],
    ['closed_by_platform', 'en', /^This export was ended on the platform.* Press Export on the platform again/],
  ])('that the platform has ended says what to do (%s, %s)', (state, language, text) => {
    const ended = toJobResponse({ ...ENDED, state, failureType: null, failureReason: null }, language);
    expect(ended).toMatchObject({ failureReason: expect.stringMatching(text) as unknown, reportedReason: null });
  });

  it('has no reason while it runs, nor when all went well', () => {
    for (const state of ['running', 'completed'] as const) {
      const job = toJobResponse({ ...ENDED, state, failureType: null, failureReason: null }, 'en');
      expect(job).toMatchObject({ failureReason: null, reportedReason: null });
    }
  });

  it('has amounts with the digits of their currency', () => {
    expect(toJobResponse(ENDED, 'en').amounts).toEqual([{ amountMinor: '1500', currency: 'JPY', exponent: 0 }]);
  });
});
