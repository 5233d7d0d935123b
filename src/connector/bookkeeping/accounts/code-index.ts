import { sourceKeyOf } from './rule-index.js';

/**
 * What the ERP has, by a code or id of it. A code is found in whichever of Unicode's forms it is written: rules are kept in one
 * form, and neither ERPs nor the platform say which one they use.
 */
export class CodeIndex<T> extends Map<string, T> {
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
