import { describe, expect, it } from '@jest/globals';
import { englishText, localize } from '../../messages/texts.js';
import { longDurationNotice } from './job-duration.js';

const NOW = new Date('2026-02-10T12:00:00Z');
// Fifty minutes to post, at 48 of 60 requests a minute: 2,400 requests.
const expiresAt = new Date('2026-02-10T13:00:00Z');
const limits = {
  groupsPerCall: 1,
  linesPerEntry: 100,
  textLength: 100,
  concurrentRequests: 1,
  requestsPerMinute: 60,
};

describe('a job at the limit of its ERP', () => {
  it.each<[string, number, number | undefined, number | undefined, boolean]>([
    ['no limit', 100_000, undefined, 3, false],
    ['as many as it takes in time', 2_400, 60, undefined, false],
    ['one more', 2_401, 60, undefined, true],
    ['three requests for each', 801, 60, 3, true],
    ['a hundred in one request', 240_000, 60, 0.01, false],
    ['a higher limit', 2_401, 120, undefined, false],
  ])('%s', (_, numberOfItems, requestsPerMinute, requestsPerGroup, isLong) => {
    const some = { ...limits, requestsPerMinute, ...(requestsPerGroup !== undefined && { requestsPerGroup }) };
    expect(longDurationNotice({ numberOfItems, expiresAt }, some, NOW) !== undefined).toBe(isLong);
  });

  it('states the figures, the expected end and what to do', () => {
    const notice = longDurationNotice({ numberOfItems: 12_000, expiresAt }, { ...limits, requestsPerGroup: 3 }, NOW);
    const text = notice && englishText(notice);
    expect(text).toContain('has 12,000 entries, for which the accounting system needs about 36,000 requests');
    expect(text).toContain('takes 60 in a minute, so that the export would end about 2026-02-11 00:30 UTC');
    expect(text).toContain('keeps it open until 2026-02-10 13:00 UTC');
    expect(text).toContain('Export fewer entries at a time');
    expect(notice && localize('de', notice).text).toContain(
      'hat 12.000 Buchungen, für die die Buchhaltung etwa 36.000 Anfragen',
    );
  });
});
