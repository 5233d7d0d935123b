import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import { localDateIn } from '../../../kernel/local-date.js';
import type { ErpAccount } from '../../bookkeeping/item/bookkeeping-context.js';
import type { PlannedLine } from '../../bookkeeping/item/posting-plan.js';
import type { ErpMasterData, PostingGroup } from '../../erp/erp-ledger.js';

interface TestEntry {
  readonly installationId: InstallationId;
  /** UUID, also the reference by which people find it. */
  readonly key: string;
  readonly state: 'posted' | 'draft';
  readonly books: Pick<ErpMasterData, 'functionalCurrency' | 'timeZone'>;
  readonly debit: ErpAccount;
  readonly credit: ErpAccount;
  readonly now: Date;
}

/** An entry of one minor unit, of today in the company's time zone. */
export function testEntry({ installationId, key, state, books, debit, credit, now }: TestEntry): PostingGroup {
  const { functionalCurrency, timeZone } = books;
  const line = ({ externalId, code }: ErpAccount, amountMinor: bigint): PlannedLine => ({
    account: { id: externalId, code, decision: { by: 'code' } },
    amountMinor,
    baseMinor: amountMinor,
    dimensions: [],
  });
  return {
    key,
    revision: 1,
    contentDigest: sha256Hex(key),
    entries: [
      {
        role: 'entry',
        postingDate: localDateIn(now, timeZone),
        currency: functionalCurrency,
        functionalCurrency,
        description: state === 'posted' ? 'Test of the connection; reversed at once' : 'Test of the connection',
        reference: key,
        state,
        lines: [line(debit, 1n), line(credit, -1n)],
        information: { supplierAmount: { value: '1', currency: functionalCurrency } },
        mappingVersion: 0,
      },
    ],
    documents: [],
    trail: { installationId, exportJobId: toExportJobId(key), mappingVersion: 0, fence: 0n },
  };
}
