import { describe, expect, it } from '@jest/globals';
import { parseStoredMessage, message, toStoredText } from './message.js';

describe('a message that is stored as text', () => {
  it('is parsed back', () => {
    const stored = message('sync.failure.attempts', { count: 3 });
    expect(parseStoredMessage(toStoredText(stored))).toEqual(stored);
  });

  it.each([
    '',
    'The system is away.',
    '{"code":',
    '{"code":1,"parameters":{}}',
    '{"code":"a"}',
    '{"code":"a","parameters":null}',
  ])('is not confused with the text of another system: %j', (words) => {
    expect(parseStoredMessage(words)).toBeUndefined();
  });
});
