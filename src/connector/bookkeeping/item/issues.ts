/**
 * What has to be resolved so that an item can be exported. All items that fail for the same reason have the same issue, whatever
 * the sentences of their reasons are.
 */
export interface Issue {
  readonly kind: IssueKind;
  /** What it is about, as its owner writes it: a code, a number, a setting, a period. */
  readonly reference: string;
  /** Of a tag: the code of its group. */
  readonly group?: string;
  /** Its name, where it is known. */
  readonly name?: string;
}

/**
 * On the platform and unknown to mapping and ERP: `account` `tax-code` `tag` `vendor`.
 * In the mapping: `rule` whose target no longer exists, `setting-missing`, `setting-invalid`.
 * In the ERP: `contra-account` `tax-account` `tax-share` `vendor-blocked` `vendor-account` `period` `no-period` `rate`, and
 * `refused` for what it does not take.
 * In the entry itself: `entry` with the check that failed, `unreadable`, `changed` since it was posted, `receipt`,
 * `preview` that it no longer matches.
 * `vendor-refused`: the ERP would not create it · `not-confirmed`: it is unknown whether it is in the books · `job`: with a
 * failure type, for what concerns a whole export.
 */
export type IssueKind =
  | 'account'
  | 'tax-code'
  | 'tag'
  | 'vendor'
  | 'rule'
  | 'setting-missing'
  | 'setting-invalid'
  | 'contra-account'
  | 'tax-account'
  | 'tax-share'
  | 'vendor-blocked'
  | 'vendor-account'
  | 'vendor-refused'
  | 'period'
  | 'no-period'
  | 'rate'
  | 'refused'
  | 'entry'
  | 'unreadable'
  | 'changed'
  | 'receipt'
  | 'preview'
  | 'not-confirmed'
  | 'job';

/** An issue as a row has it: null stands for what it does not have. */
export interface StoredIssue {
  readonly kind: IssueKind;
  readonly reference: string;
  readonly group: string | null;
  readonly name: string | null;
}

export function toIssue({ kind, reference, group, name }: StoredIssue): Issue {
  return { kind, reference, ...(group !== null && { group }), ...(name !== null && { name }) };
}

const MAX_KEY_PART_LENGTH = 120;
/** Longest key there is: the kind, two parts and what separates them. */
export const MAX_ISSUE_KEY_LENGTH = 270;
const WRITTEN_AS_IT_IS = /[A-Za-z0-9._-]/;

/** Whose reference is a code: another code is another issue, however much of them is the same. */
const NAMED_BY_CODE: ReadonlySet<IssueKind> = new Set(['account', 'tax-code', 'tag', 'vendor']);

/**
 * One text per issue, fit for an address: "account:6420", "tag:Team:North", "setting-missing:wallet-EUR". Every other
 * character stands as its number, "~20~" for a blank; what is longer than an address bears is cut, and of a code a checksum of
 * all of it stands for the rest.
 */
export function issueKey({ kind, reference, group }: Issue): string {
  const parts = kind === 'tag' ? [group ?? '', reference].map((part) => part.toLowerCase()) : [reference];
  return [kind, ...parts.map((part) => addressable(part, NAMED_BY_CODE.has(kind)))].join(':');
}

/** The entry itself is wrong, in what this check looks at. */
export function entryIssue(check: string): Issue {
  return { kind: 'entry', reference: check };
}

/** Something that concerns every item of an export, by its failure type. */
export function jobIssue(failureType: string): Issue {
  return { kind: 'job', reference: failureType };
}

function addressable(text: string, isCode: boolean): string {
  const whole = text.trim().normalize('NFC');
  const written = Array.from(whole, (character) =>
    WRITTEN_AS_IT_IS.test(character) ? character : `~${(character.codePointAt(0) ?? 0).toString(16)}~`,
  );
  const beginning = cut(written, MAX_KEY_PART_LENGTH);
  if (isCode && beginning.length < written.join('').length) {
    const checksum = `~~${checksumOf(whole)}`;
    return cut(written, MAX_KEY_PART_LENGTH - checksum.length) + checksum;
  }
  return beginning === '' ? '~' : beginning;
}

function cut(written: readonly string[], limit: number): string {
  let key = '';
  for (const character of written) {
    if (key.length + character.length > limit) break;
    key += character;
  }
  return key;
}

/** FNV-1a of 64 bits over UTF-16 code units, in hexadecimal: not for secrets, but no two of a company's codes have the same. */
function checksumOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(16);
}
