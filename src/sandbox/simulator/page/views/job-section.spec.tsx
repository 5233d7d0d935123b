import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { JobItemStatus } from '../../exports/export-job.js';
import { JobSection, type ShownResult } from './job-section.js';

const instant = new Date('2026-03-02T10:00:00Z');

const resultOf = (status: JobItemStatus, number: number): ShownResult => ({
  accountingEntryId: `${status}-${number.toString()}`,
  exportJobId: 'job',
  status,
  exportedAt: null,
  externalId: null,
  externalUrl: null,
  failureReason: null,
  failureReasonType: null,
  item: undefined,
});

const shown = (counts: readonly (readonly [JobItemStatus, number])[], results: readonly ShownResult[]) =>
  renderToStaticMarkup(
    <JobSection
      job={{
        ...{ id: 'job', companyId: 'company', status: 'completed_with_errors', isInteractive: true },
        ...{ vendorBasedBookkeeping: false, numberOfItems: 305, createdAt: instant, createdBy: null },
        ...{ startedAt: null, completedAt: instant, expiredAt: null, lastUpdatedAt: instant, expiresIn: 3_600 },
        ...{ failureReason: null, failureReasonType: null },
      }}
      startedBy={undefined}
      counts={new Map(counts)}
      results={results}
    />,
  );

it('says of each status how many results it leaves out', () => {
  const failed = Array.from({ length: 200 }, (_, number) => resultOf('failed', number));
  const page = shown(
    [
      ['failed', 300],
      ['successful', 5],
    ],
    failed,
  );
  expect(page).toContain('<p class="soft">300 failed, the first 200 shown</p>');
  expect(page).toContain('<p class="soft">5 exported, not shown</p>');
  expect(page.match(/<table>/g)).toHaveLength(1);
});

it('lists everything without a word where everything is there', () => {
  const page = shown([['failed', 1]], [resultOf('failed', 1)]);
  expect(page).not.toContain('shown');
  expect(page).toContain('failed-1');
});
