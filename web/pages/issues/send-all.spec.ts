import { describe, expect, it } from '@jest/globals';
import { sendAll, type Sending } from './send-all.js';

const WRONG = new Error('There is no account 6440.');

describe('several issues that are resolved together', () => {
  const log: string[] = [];
  const sending = (name: string, issues: number, answer: number | Error): Sending => ({
    issues,
    send: async () => {
      log.push(`${name} sent`);
      await Promise.resolve();
      log.push(`${name} answered`);
      return typeof answer === 'number' ? answer : Promise.reject(answer);
    },
  });
  const three = [sending('a', 50, 48), sending('b', 1, WRONG), sending('c', 1, 1)];

  it('are each sent, also after one was refused', async () => {
    expect(await sendAll(three, false)).toEqual({ resolved: 49, refused: 1, problem: WRONG });
    expect(log.splice(0)).toEqual(['a sent', 'a answered', 'b sent', 'b answered', 'c sent', 'c answered']);
  });

  it('are all sent before the first answer when the reader leaves the page', async () => {
    expect(await sendAll(three, true)).toEqual({ resolved: 49, refused: 1, problem: WRONG });
    expect(log.splice(0).slice(0, 3)).toEqual(['a sent', 'b sent', 'c sent']);
  });
});
