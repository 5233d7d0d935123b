// Pure: who has to act before an entry gets into the books.
import type { IssueKind } from '../../bookkeeping/item/issues.js';
import type { MissingEntry } from './month-end.js';

/** `bookkeeper`: here, in mapping or inbox · `accounting-system`, `platform`: a person there · `none`: the entry is under way. */
export type WhoActs = 'bookkeeper' | 'accounting-system' | 'platform' | 'none';

export function whoActs({ why, issue }: Pick<MissingEntry, 'why' | 'issue'>): WhoActs {
  if (why === 'waiting') return 'none';
  return issue === undefined ? 'bookkeeper' : BY_ISSUE[issue.kind];
}

const BY_ISSUE: Readonly<Record<IssueKind, WhoActs>> = {
  vendor: 'accounting-system',
  'vendor-refused': 'accounting-system',
  'vendor-blocked': 'accounting-system',
  'vendor-account': 'accounting-system',
  'contra-account': 'accounting-system',
  'tax-account': 'accounting-system',
  'tax-share': 'accounting-system',
  period: 'accounting-system',
  'no-period': 'accounting-system',
  rate: 'accounting-system',
  refused: 'accounting-system',
  entry: 'platform',
  unreadable: 'platform',
  receipt: 'platform',
  changed: 'platform',
  account: 'bookkeeper',
  'tax-code': 'bookkeeper',
  tag: 'bookkeeper',
  rule: 'bookkeeper',
  'setting-missing': 'bookkeeper',
  'setting-invalid': 'bookkeeper',
  preview: 'bookkeeper',
  'not-confirmed': 'bookkeeper',
  job: 'bookkeeper',
};
