import type { Platform } from './platform.js';

export type RowNeed = 'read' | 'write' | 'export' | 'client' | 'grant' | 'narrow' | 'webhook' | 'sandbox';

/** One documented fact and how to see whether a platform keeps to it. */
export interface ConformanceRow {
  readonly fact: string;
  /** Where the fact is stated: a section of docs/rules/platform.md, or an RFC. */
  readonly source: string;
  /**
   * `read` changes nothing; `write` creates what it removes again, as far as the platform lets it; `export` needs accounting
   * entries that wait, and makes export jobs; `client` needs an application's id and secret, `grant` what a person has approved for
   * it; `narrow` a token with few scopes; `webhook` an address at which the suite is heard from outside, and entries; `sandbox` a
   * simulator whose control makes companies and moves the clock, and with which `client`, `grant` and `webhook` are judged, too.
   */
  readonly needs: RowNeed;
  /** Set when the fact is about API keys only. */
  readonly onlyFor?: 'api-key';
  /** Scopes with any of which the fact cannot be seen. */
  readonly notWith?: readonly string[];
  readonly observe: (platform: Platform) => Promise<unknown>;
  /** What `observe` gives on a platform that keeps to the fact; may hold matchers. */
  readonly expected: unknown;
}
