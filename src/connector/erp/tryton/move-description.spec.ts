import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCurrency } from '../../../kernel/currency.js';
import { toExportJobId, toInstallationId } from '../../../kernel/ids.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import type { PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../erp-ledger.js';
import { keyPrefix, moveDescription, parseDescription, reversalDescription } from './move-description.js';

const installationId = toInstallationId('0198c5a0-0000-7000-8000-000000000001');

function described(key: string, description: string, reference = 'rec-1'): string {
  const currency = parseCurrency('KWD');
  const postingDate = parseLocalDate('2026-03-02');
  const entry = { role: 'invoice', currency, postingDate, description, reference, documentNumber: 'A-17' };
  const exportJobId = toExportJobId('0198c5a0-0000-7000-8000-000000000002');
  const trail = { installationId, exportJobId, mappingVersion: 3, fence: 7n };
  const group = { key, revision: 12, contentDigest: 'd1', trail } as unknown as PostingGroup;
  return moveDescription(group, entry as unknown as PlannedEntry, 2);
}

describe('the description of a move', () => {
  it('starts with the key, followed by the text', () => {
    expect(described('k-1', 'Taxi')).toBe(
      'k-1 A-17 Taxi [r=12&n=2&role=invoice&c=KWD&d=d1&i=0198c5a0-0000-7000-8000-000000000001' +
        '&j=0198c5a0-0000-7000-8000-000000000002&m=3&f=7&ref=rec-1&doc=A-17]',
    );
  });

  it('is parsed back to its export for any key, text and reference', () => {
    const anyText = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(
        anyText.filter((key) => key !== ''),
        anyText,
        anyText,
        (key, text, reference) => {
          const description = described(key, text, reference);
          expect(description.startsWith(keyPrefix(key))).toBe(true);
          const mark = {
            key,
            revision: 12,
            contentDigest: 'd1',
            role: 'invoice',
            position: 2,
            currency: 'KWD',
            installationId,
          };
          expect(parseDescription(description)).toEqual({ ...mark, isReversal: false });
          expect(parseDescription(reversalDescription(description))).toEqual({ ...mark, isReversal: true });
        },
      ),
    );
  });

  it.each([
    '',
    'Taxi',
    'k-1 Taxi [r=0&role=entry&c=EUR]',
    'k-1 Taxi [r=1&role=other&c=EUR]',
    'k-1 Taxi [r=1&role=entry]',
  ])('written by a person is not recognized as ours: "%s"', (description) => {
    expect(parseDescription(description)).toBeUndefined();
  });

  it('keeps a key that a person has damaged unchanged', () => {
    expect(parseDescription('50% Taxi [r=1&n=1&role=entry&c=EUR]')).toMatchObject({ key: '50%' });
  });
});
