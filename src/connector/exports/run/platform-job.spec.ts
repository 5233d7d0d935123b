import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expiryOf } from './platform-job.js';

const LAST_ACTION = new Date('2026-03-04T10:00:00Z');

/** @returns minutes from the last action to the end, as read some minutes after that action */
function minutesToEnd(expiresIn: number, minutesSinceAction: number): number {
  const job = {
    id: randomUUID(),
    companyId: randomUUID(),
    status: 'pending',
    numberOfItems: 1,
    createdAt: new Date('2026-03-04T09:00:00Z'),
    lastUpdatedAt: LAST_ACTION,
    expiresIn,
  };
  const now = new Date(LAST_ACTION.getTime() + minutesSinceAction * 60_000);
  return (expiryOf(job, now).getTime() - LAST_ACTION.getTime()) / 60_000;
}

describe('the end of a job', () => {
  it.each([0, 31, 59, 70])('is an hour after the last action, read after %i minutes [P1.3]', (minutes) => {
    expect(minutesToEnd(3_600, minutes)).toBe(60);
  });

  it.each([1, 31, 59])(
    'is the same where the platform says after %i minutes how much of the hour is left',
    (minutes) => {
      expect(minutesToEnd(3_600 - minutes * 60, minutes)).toBe(60);
      expect(minutesToEnd(3_600 - minutes * 60, minutes + 0.5)).toBe(60);
    },
  );

  it('follows another life than an hour', () => {
    expect(minutesToEnd(600, 2)).toBe(10);
    expect(minutesToEnd(7_200, 2)).toBe(120);
  });
});
