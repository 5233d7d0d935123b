/** Of these the advice says what the reason does, in fewer words. */
const ADVICE_SAYS_ALL: ReadonlySet<string> = new Set([
  'account',
  'tax-code',
  'tag',
  'rule',
  'setting-missing',
  'setting-invalid',
  'vendor-blocked',
]);
/** Of these the reason says what to do, with its figures, and the advice says less. */
const REASON_SAYS_ALL: ReadonlySet<string> = new Set(['entry']);

/** What is said of an issue beside its heading, so that nothing is said twice. */
export interface IssueTexts {
  readonly reason: boolean;
  /** The reason is what stands after "To do:". */
  readonly reasonIsAdvice: boolean;
  readonly advice: boolean;
}

/**
 * @param kind of the issue
 * @param isOpen what is resolved needs no advice
 * @param isReadable the reason is in the language of the reader
 */
export function issueTexts(kind: string, isOpen: boolean, isReadable: boolean): IssueTexts {
  const reasonIsAdvice = isOpen && isReadable && REASON_SAYS_ALL.has(kind);
  return {
    reason: !(isOpen && ADVICE_SAYS_ALL.has(kind)),
    reasonIsAdvice,
    advice: isOpen && !reasonIsAdvice,
  };
}
