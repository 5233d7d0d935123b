import { describe, expect, it } from '@jest/globals';
import { issueTexts } from './issue-texts.js';

describe('a card of an issue', () => {
  it.each([
    ['account', true, true, { reason: false, reasonIsAdvice: false, advice: true }],
    ['account', true, false, { reason: false, reasonIsAdvice: false, advice: true }],
    ['account', false, true, { reason: true, reasonIsAdvice: false, advice: false }],
    ['entry', true, true, { reason: true, reasonIsAdvice: true, advice: false }],
    ['entry', true, false, { reason: true, reasonIsAdvice: false, advice: true }],
    ['entry', false, true, { reason: true, reasonIsAdvice: false, advice: false }],
    // What the accounting system says is in no advice.
    ['refused', true, true, { reason: true, reasonIsAdvice: false, advice: true }],
    ['vendor-refused', true, true, { reason: true, reasonIsAdvice: false, advice: true }],
    ['a kind of later', true, true, { reason: true, reasonIsAdvice: false, advice: true }],
  ])('of the kind %s (open: %s, in the language of the reader: %s) shows %j', (kind, isOpen, isReadable, shown) => {
    expect(issueTexts(kind, isOpen, isReadable)).toEqual(shown);
  });
});
