// What a German reader receives of an issue: what it is about in words and days of the language.
import { describe, expect, it } from '@jest/globals';
import { localize } from '../../messages/texts.js';
import { adviceOn, problemOf } from '../../review/domain/issue-resolution.js';

describe('an issue', () => {
  const german = (of: ReturnType<typeof problemOf>) => localize('de', of).text;

  it('names a missing rate by its currencies and its day, not by its key', () => {
    const issue = { kind: 'rate', reference: 'KWD-EUR-2026-11-24' } as const;
    expect(german(problemOf(issue))).toBe('Der Wechselkurs von KWD nach EUR für den 24.11.2026 fehlt.');
    expect(german(adviceOn(issue))).toContain('den Wechselkurs von KWD nach EUR für den 24.11.2026 in der Buchhaltung');
    expect(localize('en', problemOf(issue)).text).toBe('The exchange rate from KWD to EUR for 2026-11-24 is missing.');
  });

  it('names a type of items by its German word', () => {
    const issue = { kind: 'setting-missing', reference: 'fallback-card_purchase' } as const;
    expect(german(problemOf(issue))).toBe(
      'Für die Einstellung „Konto für Kartenzahlung ohne Konto“ ist kein Konto gewählt.',
    );
    const another = { ...issue, reference: 'fallback-some_new_type' };
    expect(german(adviceOn(another))).toBe(
      'Wählen Sie ein Konto für die Einstellung „Konto für some_new_type ohne Konto“.',
    );
  });
});
