import { expect, it } from '@jest/globals';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { ruleInWords } = await import('./rule-words.js');

it('distinguishes rules of one code by the entries that they apply for', () => {
  const rule = {
    ...{ id: '1', subject: 'account' as const, sourceGroup: null, source: '6475', targetGroup: null, target: '6440' },
    ...{ itemType: null, tagGroup: null, tag: null },
  };
  expect(ruleInWords(rule)).toBe('6475 → 6440');
  expect(ruleInWords({ ...rule, itemType: 'card_purchase', tagGroup: 'CC', tag: '110' })).toBe(
    '6475 → 6440 (card purchase, CC 110)',
  );
  expect(ruleInWords({ ...rule, sourceGroup: 'PRJ', targetGroup: 'Project' })).toBe('PRJ/6475 → Project/6440');
});
