import { describe, expect, it } from '@jest/globals';
import { keptMessage, message, toKeptText } from './message.js';

describe('a message that a column of text keeps', () => {
  it('is read again', () => {
    const told = message('sync.failure.attempts', { count: 3 });
    expect(keptMessage(toKeptText(told))).toEqual(told);
  });

  it.each([
    '',
    'The system is away.',
    '{"code":',
    '{"code":1,"parameters":{}}',
    '{"code":"a"}',
    '{"code":"a","parameters":null}',
  ])('is not what another system has said: %j', (words) => {
    expect(keptMessage(words)).toBeUndefined();
  });
});
