import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BOOKED_FOR_MS, decideShare, type Rival, type ShareRequest } from './request-share.js';

const IDLE = { bookedUntilMs: 0, pausedUntilMs: 0, circuitOpenUntilMs: undefined, rivals: [] };
const ONE: ShareRequest = { underWay: 0, wanted: 1, slots: 0, booking: 1 };
const MAX_WAIT_MS = 60_000;

describe('the share of a process in concurrent requests', () => {
  const rival = (slots: number, wanted = slots): Rival => ({ slots, wanted });

  it.each<[string, number, readonly Rival[], Partial<ShareRequest>, number]>([
    ['alone: what is wanted', 8, [], { wanted: 5 }, 5],
    ['alone: no more than the limit', 8, [], { wanted: 12 }, 8],
    ['beside one that has all: none yet', 8, [rival(8, 20)], { wanted: 3 }, 0],
    ['has all, another wants some: half', 8, [rival(0, 8)], { wanted: 8, slots: 8 }, 4],
    ['has all, another wants one: all but that', 8, [rival(0, 1)], { wanted: 8, slots: 8 }, 7],
    ['what is under way stays', 8, [rival(0, 8)], { wanted: 8, slots: 8, underWay: 6 }, 6],
    ['one slot, another waits: they take turns', 1, [rival(0, 1)], { wanted: 1, slots: 1 }, 0],
    ['one slot, given up by the other', 1, [rival(0, 1)], { wanted: 1, slots: 0 }, 1],
    ['an odd number', 3, [rival(2, 3)], { wanted: 3 }, 1],
  ])('%s', (_, concurrentRequests, rivals, request, slots) => {
    const limits = { concurrentRequests, requestsPerMinute: undefined };
    expect(decideShare(limits, { ...IDLE, rivals }, { ...ONE, ...request }, MAX_WAIT_MS).slots).toBe(slots);
  });

  it('never exceeds the limit over all processes, and each process gets one in time', () => {
    const processes = fc.array(fc.record({ wanted: fc.integer({ min: 1, max: 9 }), underWay: fc.nat(9) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), processes, (concurrentRequests, wishes) => {
        const limits = { concurrentRequests, requestsPerMinute: undefined };
        const shares = wishes.map(({ wanted }) => ({ wanted, slots: 0 }));
        const had = new Set<number>();
        for (let round = 0; round < 20; round += 1) {
          wishes.forEach(({ wanted, underWay }, index) => {
            const own = shares[index] ?? { slots: 0, wanted };
            const rivals = shares.filter((_, other) => other !== index);
            // Requests end between two rounds.
            const request = {
              wanted,
              slots: own.slots,
              underWay: round % 2 === 0 ? Math.min(underWay, own.slots) : 0,
            };
            const { slots } = decideShare(limits, { ...IDLE, rivals }, { ...request, booking: 0 }, MAX_WAIT_MS);
            shares[index] = { wanted, slots };
            if (slots > 0) had.add(index);
            expect(shares.reduce((sum, share) => sum + share.slots, 0)).toBeLessThanOrEqual(concurrentRequests);
          });
        }
        expect(had.size).toBe(wishes.length);
      }),
    );
  });
});

describe('the requests of a minute', () => {
  const LIMITS = { concurrentRequests: 4, requestsPerMinute: 600 };

  it.each<[string, { bookedUntilMs?: number; pausedUntilMs?: number }, number, object]>([
    // 480 a minute evenly: one each 125 ms; 60 at once.
    ['after a rest: at once', {}, 4, { booked: 4, firstInMs: 125 - 7_500, spacingMs: 125, bookedUntilMs: 500 }],
    ['behind the burst', { bookedUntilMs: 7_500 }, 1, { booked: 1, firstInMs: 125, bookedUntilMs: 7_625 }],
    ['too far ahead: none', { bookedUntilMs: 68_000 }, 1, { booked: 0, firstInMs: 60_625, bookedUntilMs: 68_000 }],
    [
      'in a pause: after it, one by one',
      { pausedUntilMs: 10_000 },
      1,
      { booked: 1, firstInMs: 10_125, pausedMs: 10_000 },
    ],
  ])('%s', (_, state, booking, expected) => {
    expect(decideShare(LIMITS, { ...IDLE, ...state }, { ...ONE, booking }, MAX_WAIT_MS)).toMatchObject(expected);
  });

  it('have no upper limit when none is set', () => {
    const unlimited = { concurrentRequests: 4, requestsPerMinute: undefined };
    expect(decideShare(unlimited, IDLE, ONE, MAX_WAIT_MS).booked).toBeGreaterThan(1e9);
  });

  it.each([1, 2, 5, 6, 10, 60, 600])(
    'never exceed %i, even when shares are used as late as possible',
    (requestsPerMinute) => {
      const times: number[] = [];
      let bookedUntilMs = 0;
      for (let nowMs = 0; nowMs < 300_000; nowMs += 1_000) {
        const state = { ...IDLE, bookedUntilMs: Math.max(0, bookedUntilMs - nowMs) };
        const booking = 1 + ((nowMs / 1_000) % 7) * Math.ceil(requestsPerMinute / 100);
        const share = decideShare({ ...LIMITS, requestsPerMinute }, state, { ...ONE, booking }, 2_000);
        bookedUntilMs = nowMs + share.bookedUntilMs;
        for (let index = 0; index < share.booked; index += 1) {
          const at = nowMs + Math.max(0, share.firstInMs + index * share.spacingMs);
          times.push(index % 2 === 0 ? at : at + BOOKED_FOR_MS);
        }
      }
      const sorted = times.toSorted((a, b) => a - b);
      for (const [index, at] of sorted.entries()) {
        const inMinute = sorted.slice(index).filter((other) => other < at + 60_000).length;
        expect(inMinute).toBeLessThanOrEqual(requestsPerMinute);
      }
      expect(sorted.length).toBeGreaterThanOrEqual(Math.floor(4 * requestsPerMinute * 0.8));
    },
  );
});

describe('an ERP that did not respond', () => {
  const LIMITS = { concurrentRequests: 4, requestsPerMinute: undefined };

  it.each<[string, number | undefined, ShareRequest['trial'], object]>([
    ['that responds again', undefined, 'wanted', { circuitOpenMs: undefined, isTrial: false }],
    ['is left alone for its time', 3_000, 'wanted', { circuitOpenMs: 3_000, isTrial: false }],
    ['is called by who asks first after that', -1, 'wanted', { circuitOpenMs: 10_000, isTrial: true }],
    ['is not called where no request waits', -1, undefined, { circuitOpenMs: 0, isTrial: false }],
    ['is left to the one request as long as it takes', 4_000, 'under-way', { circuitOpenMs: 10_000, isTrial: true }],
  ])('%s', (_, circuitOpenUntilMs, trial, expected) => {
    const request = { ...ONE, ...(trial && { trial }) };
    expect(decideShare(LIMITS, { ...IDLE, circuitOpenUntilMs }, request, MAX_WAIT_MS)).toMatchObject(expected);
  });
});
