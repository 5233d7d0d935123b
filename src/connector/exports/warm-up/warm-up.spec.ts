import { describe, expect, it } from '@jest/globals';
import { exactNumbers } from '../../platform/parse-response.js';
import { readUsualItem } from '../../platform/read-export-item.js';
import { sampleContext, samplePage } from './sample-export.js';
import { exportWithoutEffect } from './warm-up.js';

describe('the warm-up', () => {
  it('takes every sample item as far as a posting, as an export does', () => {
    expect(exportWithoutEffect(samplePage(50), sampleContext())).toBe(50);
  });

  it('has items that are read as nearly all are, without the schema', () => {
    const { data } = exactNumbers(samplePage(3)) as { readonly data: readonly unknown[] };
    expect(data.map((element) => readUsualItem(element) === undefined)).toEqual([false, false, false]);
  });
});
