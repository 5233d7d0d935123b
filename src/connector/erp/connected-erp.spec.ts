import { expect, it } from '@jest/globals';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { toErpCompanyId, toExportJobId, toInstallationId } from '../../kernel/ids.js';
import { contextWith, itemOf, post } from '../bookkeeping/item/planning.fixtures.js';
import { ConnectedErp } from './connected-erp.js';
import type { AcceptedGroup, PostingGroup, PostOutcome } from './erp-ledger.js';
import type { ErpCapabilities } from './kit/capabilities.js';
import { ledgerCapabilities } from './ledger/ledger.erp.js';

const invoice = { invoiceNumber: 'A-17', invoiceDate: null, dueDate: null, status: null };

/** @returns what an ERP with these capabilities warns of, of an item under accounts payable */
async function warningsOf(type: string, settlement: boolean): Promise<readonly string[]> {
  const outcome = await outcomeOf(type, { settlement });
  return outcome?.outcome === 'created' ? outcome.posted.warnings : [];
}

async function outcomeOf(type: string, can: Partial<ErpCapabilities>): Promise<PostOutcome | undefined> {
  const item = itemOf({ type, amount: '62500', vendor: 'V-7', method: 'accounts_payable', invoice });
  const group: PostingGroup = {
    key: item.accountingEntryId,
    revision: 1,
    contentDigest: '',
    entries: post(item, contextWith()).entries,
    documents: [],
    trail: {
      installationId: toInstallationId(item.accountingEntryId),
      exportJobId: toExportJobId(item.accountingEntryId),
      mappingVersion: 1,
      fence: 1n,
    },
  };
  const posted = {
    key: group.key,
    revision: 1,
    contentDigest: '',
    reversed: false,
    entries: [],
    warnings: ['Its own.'],
  };
  const erp = erpWith({ post: () => Promise.resolve([{ outcome: 'created', posted }]) }, can);
  return (await erp.post([group]))[0];
}

function erpWith(ledger: object, can: Partial<ErpCapabilities>): ConnectedErp {
  return new ConnectedErp(
    { ledger, referenceData: {} } as unknown as ConstructorParameters<typeof ConnectedErp>[0],
    { ...ledgerCapabilities({ level: 'permanent-key' }), ...can },
    {
      company: toErpCompanyId('one'),
      signal: new AbortController().signal,
      deadline: () => new Date(0),
      assertOwner: () => undefined,
    },
    { clock: new SystemClock(), during: (call) => call(), findUploadedRates: () => Promise.resolve([]) },
  );
}

it('an ERP without settlement leaves payments open, with a warning', async () => {
  expect(await warningsOf('invoice_payment', false)).toEqual([
    'Its own.',
    'The payment stays open on vendor V-7, and so does A-17: settle them in the accounting system, which cannot be asked to do it from here.',
  ]);
});

it.each([
  ['a payment that the ERP settles', 'invoice_payment', true],
  ['what is paid within its own group', 'card_purchase', false],
  ['an invoice', 'invoice', false],
])('%s gets no warning about missing settlement', async (_, type, settlement) => {
  expect(await warningsOf(type, settlement)).toEqual(['Its own.']);
});

it('an ERP without drafts is sent none, because it would post them', async () => {
  expect(await outcomeOf('card_purchase', { drafts: false })).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('keeps no drafts'),
  });
  expect(await outcomeOf('card_purchase', { drafts: true })).toMatchObject({ outcome: 'created' });
});

it('an ERP that reports too few outcomes of what it has accepted is not taken to mean other entries', async () => {
  const { limits } = ledgerCapabilities({ level: 'permanent-key' });
  const outcomesOf = (_: unknown, piece: readonly AcceptedGroup[]) =>
    Promise.resolve(piece.slice(0, 1).map(({ key }) => ({ outcome: 'refused', message: `refused ${key}` })));
  const can = { outcomeLater: { mayTakeMs: 60_000 }, limits: { ...limits, groupsPerCall: 2 } };
  const accepted = ['a', 'b', 'c'].map((key) => ({ key, revision: 1, contentDigest: '', handle: key }));
  const outcomes = await erpWith({ outcomesOf }, can).outcomesOf(accepted);
  expect([...outcomes]).toEqual([
    ['a', { outcome: 'refused', message: 'refused a' }],
    ['c', { outcome: 'refused', message: 'refused c' }],
  ]);
});
