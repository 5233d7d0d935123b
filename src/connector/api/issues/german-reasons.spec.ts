// What a German reader receives: the whole reason in German, with nothing quoted that we have written ourselves.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { planItem } from '../../bookkeeping/item/plan-item.js';
import { contextWith, fail, itemOf, itemVendor, taxCode, vendor } from '../../bookkeeping/item/planning.fixtures.js';
import { describeFailure } from '../../exports/domain/describe-failure.js';
import { reasonOf, type ItemFailure } from '../../exports/domain/item-failure.js';
import type { KnownPosting } from '../../exports/domain/plans/known-entry.js';
import { failedItem, failureOf, planChunk } from '../../exports/domain/plans/plan-chunk.js';
import { verdictMessages } from '../../exports/domain/verdict.js';
import { downloadFailure, failedItemMessage, uploadFailure } from '../../receipts/domain/receipt-failure.js';
import { failureIn } from './failure-reasons.js';

type Item = Parameters<typeof itemOf>[0];
type Changes = Parameters<typeof contextWith>[0];

const QUOTED = 'Der Plattform wurde gemeldet';

/** As it comes from the database. */
function inGerman({ failureType, failureReason, messages, issues }: ItemFailure): string {
  const kept = messages === undefined ? null : (JSON.parse(JSON.stringify(messages)) as typeof messages);
  return failureIn('de', { failureType, failureReason, failureMessages: kept }, issues).failureReason ?? '';
}

const purchase = { type: 'card_purchase', amount: '1000' };
const taxed = (tax: object): Item => ({ ...purchase, lines: [{ amount: '1000', account: '6071', tax: tax as never }] });

it.each<readonly [string, Item, Changes, string]>([
  [
    'lines that add up to more',
    { ...purchase, lines: [{ amount: '1200', account: '6071' }] },
    {},
    'Die Zeilen ergeben 12,00, die Buchung hat 10,00 (2,00 zu viel). Berichtigen Sie die Aufteilung auf der Plattform.',
  ],
  [
    'lines that add up to less',
    {
      ...purchase,
      amount: '123456789',
      lines: [
        {
          amount: '1',
          account: '6071',
        },
      ],
    },
    {},
    'Die Zeilen ergeben 0,01, die Buchung hat 1.234.567,89 (1.234.567,88 fehlen). Berichtigen Sie die Aufteilung auf der Plattform.',
  ],
  [
    'no line',
    { ...purchase, lines: [] },
    {},
    'Die Buchung hat keine Zeilen: Geben Sie ihr auf der Plattform eine Kategorie, und exportieren Sie sie erneut.',
  ],
  [
    'only zeros',
    { ...purchase, amount: '0', lines: [{ amount: '0', account: '6071' }] },
    {},
    'Es gibt nichts zu buchen: Alle Beträge der Buchung sind 0. Berichtigen Sie die Beträge auf der Plattform, oder lassen Sie die Buchung dort aus dem Export.',
  ],
  [
    'no number',
    { ...purchase, amount: 'x' },
    {},
    'Der Betrag der Buchung ist „x“ und damit keine Zahl: Berichtigen Sie die Buchung auf der Plattform. Der Betrag der Zeile 1 ist „x“ und damit keine Zahl: Berichtigen Sie die Buchung auf der Plattform.',
  ],
  [
    'more digits than the currency has',
    { ...purchase, amount: '1000.5', lines: [{ amount: '1000.5', account: '6071' }] },
    {},
    'Der Betrag der Buchung ist 10,005 EUR, gebucht wird EUR aber mit 2 Nachkommastellen: Berichtigen Sie die Buchung auf der Plattform. Der Betrag der Zeile 1 ist 10,005 EUR, gebucht wird EUR aber mit 2 Nachkommastellen: Berichtigen Sie die Buchung auf der Plattform.',
  ],
  [
    'no currency',
    { ...purchase, currency: 'QQQ' },
    {},
    '„QQQ“ ist keine Währung, in der gebucht werden kann: Berichtigen Sie die Buchung auf der Plattform.',
  ],
  [
    'no date',
    { ...purchase, date: 'never' },
    {},
    'Das Datum „never“ der Buchung ist kein Datum: Berichtigen Sie es auf der Plattform.',
  ],
  [
    'a closed period',
    { ...purchase, date: '2026-01-15' },
    {},
    'Der Tag 15.01.2026 der Buchung liegt in der Periode 2026-01, die geschlossen ist: Öffnen Sie eine Periode in der Buchhaltung, oder ändern Sie das Datum auf der Plattform.',
  ],
  [
    'no period',
    { ...purchase, date: '2025-06-15' },
    {},
    'Der Tag 15.06.2025 der Buchung liegt in keiner Buchungsperiode: Öffnen Sie eine Periode in der Buchhaltung, oder ändern Sie das Datum auf der Plattform.',
  ],
  [
    'no rate, and no wallet',
    { ...purchase, currency: 'USD' },
    { rates: [] },
    'Für „Kartenkonto USD“ ist kein Konto eingestellt: Wählen Sie eines im Konnektor unter „Einrichtung“. Es gibt keinen Wechselkurs von USD nach EUR für den 10.02.2026 oder die 7 Tage davor: Tragen Sie einen in der Buchhaltung ein.',
  ],
  [
    'a type that is not booked',
    { ...purchase, type: 'gift' },
    {},
    'Der Konnektor weiß nicht, wie eine Buchung der Art „gift“ ohne Unterart zu buchen ist: Buchen Sie sie von Hand, und bitten Sie darum, dass die Art ergänzt wird.',
  ],
  [
    'a subtype of another type',
    { ...purchase, subType: 'odd' },
    {},
    'Der Konnektor weiß nicht, wie eine Buchung der Art „Kartenzahlung“ mit der Unterart „odd“ zu buchen ist: Die Unterart gehört nicht zu der Art. Buchen Sie sie von Hand, und bitten Sie darum, dass die Unterart ergänzt wird.',
  ],
  [
    'a method that there is not',
    { ...purchase, method: 'barter' },
    {},
    'Die Buchungsmethode „barter“ dieser Buchung der Art „Kartenzahlung“ ist nicht bekannt: Es gibt „journal“ und „accounts_payable“.',
  ],
  [
    'a kind of tax that there is not',
    taxed({ type: 'withheld', amount: '10' }),
    {},
    'Zeile 1: Die Steuerart „withheld“ ist nicht bekannt (Steuerschlüssel 25). Berichtigen Sie die Steuer der Zeile auf der Plattform.',
  ],
  [
    'a tax of the other sign',
    taxed({ type: 'inclusive', amount: '-10' }),
    {},
    'Zeile 1: Die Steuer hat das umgekehrte Vorzeichen ihres Betrags (einbehaltene Steuer wird nicht gebucht). Berichtigen Sie die Steuer der Zeile auf der Plattform.',
  ],
  [
    'a tax above its line',
    taxed({ type: 'inclusive', amount: '2000' }),
    {},
    'Zeile 1: Die Steuer ist größer als die Zeile, die sie enthält. Berichtigen Sie die Steuer der Zeile auf der Plattform.',
  ],
  [
    'a rate that is no number',
    taxed({ type: 'reverse', amount: '0', rate: 'x' }),
    {},
    'Zeile 1: Der Satz „x“ ist keine Zahl (Steuerschlüssel 25). Berichtigen Sie den Steuerschlüssel auf der Plattform.',
  ],
  [
    'a tax code of the platform alone',
    taxed({ type: 'inclusive', amount: '200', code: '404' }),
    {},
    'Zeile 1: Steuerschlüssel 404 ist in der Buchhaltung nicht aktiv. Legen Sie ihn dort an, oder aktivieren Sie ihn, wählen Sie auf der Plattform einen anderen, oder ergänzen Sie eine Regel der Zuordnung.',
  ],
  [
    'a tax code without an account',
    taxed({ type: 'inclusive', amount: '200' }),
    { taxCodes: [taxCode('25', {})] },
    'Zeile 1: Für die Vorsteuer gibt es kein Konto (Steuerschlüssel 25). Geben Sie dem Steuerschlüssel ein Konto dafür, in der Buchhaltung oder auf der Plattform.',
  ],
  [
    'a tax code with an account that is not active',
    taxed({ type: 'inclusive', amount: '200' }),
    { taxCodes: [taxCode('25', { inputAccount: '9999' })] },
    'Zeile 1: Das Konto 9999 der Vorsteuer ist in der Buchhaltung nicht aktiv (Steuerschlüssel 25). Aktivieren Sie es dort, oder berichtigen Sie das Konto des Steuerschlüssels in der Buchhaltung.',
  ],
  [
    'a share above 1',
    taxed({ type: 'inclusive', amount: '200' }),
    {
      taxCodes: [
        taxCode('25', {
          deductible: '2',
        }),
      ],
    },
    'Steuerschlüssel 25 (Tax 25) hat den abziehbaren Anteil „2“, der keine Zahl von 0 bis 1 ist: Berichtigen Sie ihn in der Buchhaltung.',
  ],
  [
    'an account of the platform alone',
    { ...purchase, lines: [{ amount: '1000', account: '404' }] },
    {},
    'Zeile 1: Konto 404 (Name of 404) ist in der Buchhaltung nicht aktiv. Legen Sie es dort an, oder aktivieren Sie es, wählen Sie auf der Plattform eine andere Kategorie, oder ergänzen Sie eine Regel der Zuordnung.',
  ],
  [
    'a tag of the platform alone',
    { ...purchase, lines: [{ amount: '1000', account: '6071', tags: ['NO=1'] }] },
    {},
    'Zeile 1: Schlagwort 1 der Gruppe NO ist in der Buchhaltung kein aktiver Wert einer Dimension. Legen Sie ihn dort an, oder aktivieren Sie ihn, wählen Sie auf der Plattform ein anderes Schlagwort, oder ergänzen Sie eine Regel der Zuordnung.',
  ],
  [
    'no vendor',
    { ...purchase, method: 'accounts_payable' },
    {},
    'Die Buchung soll über Verbindlichkeiten gebucht werden, hat aber keinen Kreditor: Wählen Sie auf der Plattform einen.',
  ],
  [
    'a vendor of the platform alone',
    { ...purchase, method: 'accounts_payable', vendor: itemVendor('V-404') },
    {},
    'Kreditor V-404 (Vendor V-404) ist nicht in der Buchhaltung: Legen Sie ihn dort an, oder berichtigen Sie den Code des Kreditors auf der Plattform.',
  ],
  [
    'a blocked vendor',
    { ...purchase, method: 'accounts_payable', vendor: 'V-1' },
    { vendors: [vendor('V-1', { blocked: true })] },
    'Kreditor V-1 (Vendor V-1) ist in der Buchhaltung gesperrt oder archiviert: Geben Sie ihn dort frei, oder wählen Sie auf der Plattform einen anderen.',
  ],
  [
    'an invoice that is not owed and has no number',
    { ...purchase, type: 'invoice', method: 'accounts_payable', vendor: 'V-7', invoice: { status: 'voided_by_user' } },
    {},
    'Die Rechnung hat den Status „voided_by_user“, ist also nicht geschuldet und wird nicht gebucht: Nehmen Sie sie auf der Plattform aus dem Export. Die Rechnung hat keine Nummer, ohne die ihr keine Zahlung zugeordnet werden kann: Tragen Sie die Rechnungsnummer auf der Plattform ein.',
  ],
  [
    'a contra account that is not active',
    { ...purchase, contra: '406' },
    {},
    'Das Gegenkonto 406 (Name of 406) des Kartenkontos ist in der Buchhaltung nicht aktiv: Legen Sie es dort an, oder aktivieren Sie es, oder wählen Sie auf der Plattform ein anderes Gegenkonto.',
  ],
  [
    'no account for a setting',
    purchase,
    { settings: { wallets: {} } },
    'Für „Kartenkonto EUR“ ist kein Konto eingestellt: Wählen Sie eines im Konnektor unter „Einrichtung“.',
  ],
  [
    'a setting with an account that is not active',
    purchase,
    { settings: { wallets: { EUR: '9999' } } },
    'Die Einstellung „Kartenkonto EUR“ nennt Konto 9999, das in der Buchhaltung nicht aktiv ist: Wählen Sie im Konnektor unter „Einrichtung“ ein anderes, oder aktivieren Sie es in der Buchhaltung.',
  ],
])('translates the planner’s reason: %s', (_, item, changes, german) => {
  expect(inGerman(failureOf(fail(itemOf(item), contextWith(changes))))).toBe(german);
});

const ID = '0a0b0c0d-0000-4000-8000-000000000001';
const KNOWN = { ownContent: false, foundNow: false, nextRevision: 2, replaced: undefined, inDoubt: undefined };
const posting: KnownPosting = {
  externalId: 'J-1',
  externalUrl: '',
  contentDigest: '0123456789abcdef',
  content: [],
  warnings: [],
};
const ofErp: ItemFailure = { failureType: 'x', ...reasonOf(message('reason.refused', { text: 'Nope' })) };

describe('the reasons that the export adds', () => {
  const failed = (item: ExportItem) => {
    const known = new Map([[ID, { ...KNOWN, posting }]]);
    const [planned] = planChunk([{ accountingEntryId: ID, item }], known, contextWith(), String);
    return planned?.action === 'fail' ? inGerman(planned) : '';
  };

  it('show both contents of a changed entry', () => {
    expect(failed(itemOf({ ...purchase, amount: '12000', lines: [{ amount: '12000', account: '6071' }] }))).toBe(
      'Diese Buchung steht schon mit anderem Inhalt in den Büchern (J-1). In den Büchern: Zeilen, die hier nicht bekannt sind (Inhalt 0123456789ab). Im Export jetzt: 6071 +120,00 · 1935 −120,00 EUR am 10.02.2026. Machen Sie die Änderung auf der Plattform rückgängig, oder lassen Sie eine Person mit Verwaltungsrecht im Konnektor unter „Einrichtung“ für nach dem Buchen geänderte Buchungen „stornieren und neu buchen“ wählen; exportieren Sie sie dann erneut.',
    );
  });

  it('name a changed entry that cannot be booked', () => {
    expect(failed(itemOf({ ...purchase, date: '2026-02-10', lines: [] }))).toBe(
      'Diese Buchung steht schon mit anderem Inhalt in den Büchern (J-1). In den Büchern: Zeilen, die hier nicht bekannt sind (Inhalt 0123456789ab). Im Export jetzt: Kartenzahlung über 10,00 EUR am 10.02.2026, was nicht gebucht werden kann: Die Buchung hat keine Zeilen: Geben Sie ihr auf der Plattform eine Kategorie, und exportieren Sie sie erneut. Machen Sie die Änderung auf der Plattform rückgängig, oder lassen Sie eine Person mit Verwaltungsrecht im Konnektor unter „Einrichtung“ für nach dem Buchen geänderte Buchungen „stornieren und neu buchen“ wählen; exportieren Sie sie dann erneut.',
    );
  });

  it('quote the accounting system’s words as its words', () => {
    expect(inGerman(ofErp)).toBe('Die Buchhaltung hat die Buchung nicht angenommen; sie sagt: „Nope“.');
  });

  it('show what is in the books', () => {
    expect(inGerman(failedItem(ID, ofErp, posting))).toBe(
      'Die Buchhaltung hat die Buchung nicht angenommen; sie sagt: „Nope“. Bis dahin steht sie in den Büchern, wie sie zuvor exportiert wurde (J-1).',
    );
  });

  it.each([
    [
      'post',
      'Die Buchhaltung hat die Buchung nicht angenommen; sie sagt: „Nope“. Ob sie in den Büchern steht, konnte nicht gefragt werden: Ihr nächster Export sieht zuerst nach.',
    ],
    [
      'reversal',
      'Die Buchhaltung hat die Buchung nicht angenommen; sie sagt: „Nope“. Ihre frühere Buchung (J-1) wurde gerade storniert, und ob sie noch steht, konnte nicht gefragt werden: Ihr nächster Export sieht zuerst nach.',
    ],
    [
      'not-shown-yet',
      'Die Buchhaltung hat die Buchung nicht angenommen; sie sagt: „Nope“. Sie steht vielleicht in den Büchern, auch wenn die Buchhaltung sie noch nicht zeigt: Der Konnektor sucht weiter, und ihr nächster Export meldet, was gefunden wurde.',
    ],
    [
      'needs-manual-review',
      'Die Buchhaltung hat diese Buchung nicht bestätigt, und der Konnektor kann sie nicht durchsuchen: Die Buchung steht vielleicht in den Büchern. Suchen Sie dort nach der Referenz 0a0b0c0d-0000-4000-8000-000000000001, und halten Sie dann im Konnektor unter den ungewissen Buchungen fest, ob Sie sie gefunden haben. Bis dahin wird sie nicht erneut exportiert.',
    ],
  ] as const)('explain a posting in doubt of the kind %s', (inDoubt, german) => {
    expect(inGerman(describeFailure(ID, { ...KNOWN, posting, inDoubt }, ofErp))).toBe(german);
  });

  it.each([
    [
      downloadFailure({ kind: 'status', text: 'its host answered 500', status: 500 }),
      'Nicht gebucht, weil ein Beleg fehlt: Beleg 2 von 3 (application/pdf, 2084 Bytes) konnte nicht von der Plattform geholt werden: Sein Server hat mit 500 geantwortet. Exportieren Sie die Buchung erneut, dann bekommen ihre Dateien neue Adressen; hilft das nicht, hängen Sie die Datei auf der Plattform neu an. Oder lassen Sie eine Person mit Verwaltungsrecht im Konnektor unter „Einrichtung“ wählen, dass ohne Belege gebucht wird.',
    ],
    [
      uploadFailure('The archive is locked.'),
      'Nicht gebucht, weil ein Beleg fehlt: Beleg 2 von 3 (application/pdf, 2084 Bytes) wurde von der Buchhaltung nicht angenommen; sie sagt: „The archive is locked“. Beheben Sie dort oder auf der Plattform, was sie sagt, und exportieren Sie die Buchung erneut. Oder lassen Sie eine Person mit Verwaltungsrecht im Konnektor unter „Einrichtung“ wählen, dass ohne Belege gebucht wird.',
    ],
  ])('explain a failed receipt (%#)', (failure, german) => {
    const file = { position: 2, count: 3, url: undefined, mediaType: 'application/pdf', announcedBytes: 2_084 };
    const said = reasonOf(failedItemMessage([{ file, failure }]));
    expect(inGerman({ failureType: failure.failureType, ...said })).toBe(german);
  });
});

describe('the connector’s own texts are translated, never quoted', () => {
  it('in a plan with any error', () => {
    for (const date of ['never', '2026-01-15', '2026-02-10']) {
      for (const type of ['invoice', 'card_purchase', 'gift', 'refund']) {
        for (const account of ['404', '6071']) {
          const item = itemOf({ type, date, amount: '1000', lines: [{ amount: '999', account, tags: ['NO=1'] }] });
          const plan = planItem(item, contextWith());
          expect(plan.outcome === 'fail' ? inGerman(failureOf(plan)) : QUOTED).not.toContain(QUOTED);
        }
      }
    }
  });

  it('the reason of an entry comes from a message, never from literal text in the code', () => {
    const folders = ['bookkeeping', 'exports', 'receipts', 'review'].map(
      (room) => new URL(`../../${room}/`, import.meta.url),
    );
    const written = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\.(spec|fixtures)\.ts$/.test(name))
        .filter((name) => /failureReason\s*[:=]\s*['"`]/.test(readFileSync(new URL(name, folder), 'utf8'))),
    );
    expect(written).toEqual([]);
  });

  it('for an export in which nothing succeeded', () => {
    const totals = {
      successful: 0,
      failed: 3,
      mainFailure: { type: 'x', reason: 'Nope', messages: ofErp.messages ?? [] },
    };
    expect(inGerman({ failureType: 'x', failureReason: 'x', messages: verdictMessages(totals, 3) })).toBe(
      'Keine der 3 Buchungen konnte exportiert werden. Die Buchhaltung hat die Buchung nicht angenommen; sie sagt: „Nope“.',
    );
    expect(verdictMessages({ ...totals, mainFailure: { type: 'x', reason: 'Old.' } }, 3)).toBeUndefined();
  });

  it('except reasons that were recorded without messages', () => {
    expect(inGerman({ failureType: 'unexpected_failure', failureReason: 'Old.' })).toContain(`${QUOTED}: „Old.“`);
  });
});
