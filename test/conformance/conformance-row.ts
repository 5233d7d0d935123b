import type { Platform } from './platform.js';

/** One documented fact and how to see whether a platform keeps to it. */
export interface ConformanceRow {
  readonly fact: string;
  /** Where the fact is stated: "given" is the Integration API document, "wire-facts" the page that completes it. */
  readonly source: string;
  /**
   * `read` changes nothing; `write` creates what it removes again, as far as the platform lets it; `export` needs accounting
   * entries that wait, and makes export jobs; `sandbox` needs a simulator whose control makes companies and moves the clock.
   */
  readonly needs: 'read' | 'write' | 'export' | 'sandbox';
  /** Set when the fact is about API keys only. */
  readonly onlyFor?: 'api-key';
  readonly observe: (platform: Platform) => Promise<unknown>;
  /** What `observe` gives on a platform that keeps to the fact; may hold matchers. */
  readonly expected: unknown;
}
