import { describe, expect, it } from '@jest/globals';
import { monthEndPage } from './month-end.writers.js';
import type { MonthEndResponse } from './month-ends.dto.js';

const SIGN_OFF = {
  signedBy: 'person 1',
  signedAt: new Date('2026-04-02T08:00:00Z'),
  reason: null,
  missingEntries: 0,
  hash: 'a'.repeat(64),
  reopenedBy: null,
  reopenedAt: null,
  reopeningReason: null,
};
const REPORT = {
  month: '2026-03',
  erpCompanyId: 'C-1',
  companyName: 'Mine',
  madeAt: new Date('2026-04-03T08:00:00Z'),
  state: 'signed',
  signOff: SIGN_OFF,
  changedSinceSignOff: [],
  reconciledAt: null,
  entries: { posted: 1, reversed: 0, drafts: 0 },
  accounts: [],
  totals: [],
  missing: [],
  missingTotals: [],
  discrepancies: [],
  truncated: false,
  begun: true,
};

/** The paragraph below the heading. */
function about(signOff: NonNullable<MonthEndResponse['signOff']>, state = 'signed', language = 'en'): string {
  const page = monthEndPage({ ...REPORT, state, signOff }, language);
  return /<p>(.*?)<\/p>/.exec(page)?.[1] ?? '';
}

describe('a month end on paper', () => {
  it('says by whom and when it was signed, and which figures', () => {
    expect(about(SIGN_OFF)).toBe(
      `Made 2026-04-03 08:00 UTC. Signed by person 1, 2026-04-02 08:00 UTC. SHA-256 of the signed figures: ${SIGN_OFF.hash}. 1 entry in the books, 0 reversed.`,
    );
  });

  it('says under which reservation it was signed', () => {
    const signed = about({ ...SIGN_OFF, missingEntries: 3, reason: 'they are <late>' });
    expect(signed).toContain('3 entries were not in the books then. Reason: they are &lt;late&gt; ');
    expect(about({ ...SIGN_OFF, missingEntries: 1, reason: 'spät' }, 'signed', 'de')).toContain(
      'Eine Buchung stand damals nicht in den Büchern. Begründung: spät ',
    );
  });

  it('says why it was reopened', () => {
    const reopened = { reopenedBy: 'person 2', reopenedAt: SIGN_OFF.signedAt, reopeningReason: 'a late invoice' };
    expect(about({ ...SIGN_OFF, ...reopened }, 'reopened')).toContain('Reason for reopening: a late invoice ');
  });
});
