import { sourceKeyOf } from './rule-index.js';

/**
 * What the ERP has, by a code or id of it. A code is found in whichever of Unicode's forms it is written: rules are kept in one
 * form, and neither ERPs nor the platform say which one they use.
 */
export class CodeIndex<T> extends Map<string, T> {
  private readonly ambiguous = new Set<string>();

  /** Two hits on one code count as none: a guess between two accounts, vendors or dimension values is worse than asking. */
  markAmbiguous(code: string): void {
    this.ambiguous.add(sourceKeyOf(code));
    this.delete(sourceKeyOf(code));
  }

  /** Whether the ERP has several under this code. */
  isAmbiguous(code: string): boolean {
    return this.ambiguous.has(sourceKeyOf(code));
  }

  override get(code: string): T | undefined {
    return super.get(sourceKeyOf(code));
  }

  override has(code: string): boolean {
    return super.has(sourceKeyOf(code));
  }

  override set(code: string, value: T): this {
    return super.set(sourceKeyOf(code), value);
  }
}
