import { beforeEach, describe, expect, it } from '@jest/globals';
import { Erp, OPEN_MS, SetClock, SharedState } from './shared-erp-requests.fixtures.js';

let clock: SetClock;
let state: SharedState;

const limitedTo = (concurrentRequests: number, requestsPerMinute?: number) => {
  state = new SharedState(clock, { concurrentRequests, requestsPerMinute });
  return [state.process('one'), state.process('other')] as const;
};

beforeEach(() => {
  clock = new SetClock();
});

describe('requests of two processes to one ERP', () => {
  it('never exceed its concurrency limit, and neither process waits for the other to finish', async () => {
    const [one, other] = limitedTo(4);
    const erp = new Erp(clock, 500);
    const ended: string[] = [];
    const first = Array.from({ length: 60 }, () => erp.call(one).then(() => ended.push('one')));
    await clock.pass(1_000);
    const second = Array.from({ length: 8 }, () => erp.call(other).then(() => ended.push('other')));
    await clock.pass(20_000);
    await Promise.all([...first, ...second]);
    expect(erp.mostUnderWay).toBe(4);
    expect(ended.lastIndexOf('other')).toBeLessThan(40);
    // Four seconds more than the least there is: the slots change hands only every other second.
    expect(Math.max(...erp.begun)).toBeLessThanOrEqual((68 / 4) * 500 + 4_000);
  });

  it('alternate when the ERP accepts one at a time', async () => {
    const [one, other] = limitedTo(1);
    const erp = new Erp(clock, 100);
    const both = Promise.all([erp.callOften(one, 100), erp.callOften(other, 20)]);
    await clock.pass(40_000);
    await both;
    expect([erp.mostUnderWay, erp.failures]).toEqual([1, []]);
  });

  it('never exceed the limit of a minute, and use most of it', async () => {
    const [one, other] = limitedTo(8, 60);
    const erp = new Erp(clock, 100);
    const all = [erp.callOften(one, 100), erp.callOften(other, 60)];
    await clock.pass(240_000);
    await Promise.all(all);
    expect(erp.mostInAMinute()).toBeLessThanOrEqual(60);
    expect(erp.begun).toHaveLength(160);
  });

  it('need few SQL statements', async () => {
    const [one] = limitedTo(8, 6_000);
    const erp = new Erp(clock, 50);
    const all = erp.callOften(one, 200);
    await clock.pass(60_000);
    await all;
    expect(erp.begun).toHaveLength(200);
    expect(state.statements).toBeLessThanOrEqual(30);
  });

  it('pause in both processes when the ERP asks one to wait', async () => {
    const [one, other] = limitedTo(8);
    const erp = new Erp(clock, 100);
    const all = [erp.callOften(one, 150), erp.callOften(other, 150)];
    await clock.pass(5_000);
    one.pause(20_000);
    const from = clock.monotonicMs();
    await clock.pass(60_000);
    await Promise.all(all);
    // What the other process is notified of within two seconds.
    const inPause = erp.begun.filter((at) => at > from + 2_000 && at < from + 20_000);
    expect([inPause, erp.failures, erp.begun.length]).toEqual([[], [], 300]);
  });
});

describe('a request', () => {
  it('that would wait longer than its caller can is refused at once, with the time to retry', async () => {
    const [one] = limitedTo(8);
    const erp = new Erp(clock, 100);
    one.pause(45_000);
    const late = erp.call(one, 30_000);
    await clock.pass(100);
    await late;
    expect(erp.failures).toEqual([
      {
        kind: 'rate-limit',
        message: 'the accounting system has asked the connector to wait before it makes more requests',
        retryAfterMs: 45_000,
      },
    ]);
    const inTime = erp.call(one, 60_000);
    await clock.pass(50_000);
    await inTime;
    expect(erp.begun).toHaveLength(1);
  });

  it('that waits is cancelled with its caller', async () => {
    const [one] = limitedTo(1);
    const caller = new AbortController();
    const erp = new Erp(clock, 30_000);
    const first = erp.call(one);
    await clock.pass(100);
    const waiting = one.acquire({ signal: caller.signal, deadline: new Date(60_000) });
    caller.abort(new Error('the worker stops'));
    await expect(waiting).rejects.toThrow('the worker stops');
    await clock.pass(40_000);
    await first;
  });

  it('that takes long keeps its share, which is released when no request is running', async () => {
    const [one, other] = limitedTo(1);
    const erp = new Erp(clock, 50_000);
    const long = erp.call(one);
    await clock.pass(1_000);
    const next = erp.call(other, 120_000);
    await clock.pass(48_500);
    expect(erp.begun).toEqual([0]);
    await clock.pass(60_000);
    await Promise.all([long, next]);
    expect([erp.begun.length, erp.mostUnderWay]).toEqual([2, 1]);
    await clock.pass(10_000);
    expect(state.holders.size).toBe(0);
  });
});

describe('a request that comes', () => {
  const scope = () => ({ signal: new AbortController().signal, deadline: new Date(60_000) });

  it('at any moment after another one is served', async () => {
    for (let moments = 0; moments < 30; moments += 1) {
      const [one] = limitedTo(8);
      const first = one.acquire(scope());
      for (let moment = 0; moment < moments; moment += 1) {
        await Promise.resolve();
      }
      const served: number[] = [];
      const second = one.acquire(scope()).then(() => served.push(moments));
      await clock.pass(50);
      expect(served).toEqual([moments]);
      await Promise.all([first, second]);
    }
  });

  it('while the share is given back takes another one', async () => {
    const [one] = limitedTo(1);
    const erp = new Erp(clock, 20_000);
    const first = erp.call(one);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    state.beforeEnd = promise;
    await clock.pass(26_000);
    await first;
    const second = erp.call(one);
    await clock.pass(1_000);
    resolve(undefined);
    await clock.pass(1_000);
    expect([erp.underWay, [...state.holders.keys()]]).toEqual([1, ['one']]);
    await clock.pass(30_000);
    await second;
    expect(state.holders.size).toBe(0);
  });
});

describe('a process that stops', () => {
  it('gives its slots back at once, without waiting for a request that is running', async () => {
    const [one] = limitedTo(4);
    const call = one.acquire({ signal: new AbortController().signal, deadline: new Date(60_000) });
    await clock.pass(500);
    expect(await call).toMatchObject({ release: expect.any(Function) });
    expect(state.holders.size).toBe(1);
    state.closing.abort();
    await clock.pass(50);
    expect(state.holders.size).toBe(0);
  });
});

describe('an ERP that does not respond to another process', () => {
  const NOT_RESPONDING = {
    kind: 'unreachable',
    message: 'not sent: the accounting system has not responded for a while and is tried again in a moment',
  };

  it('is called by no process during the pause, and by all after it', async () => {
    const [one] = limitedTo(8);
    const erp = new Erp(clock, 100);
    state.circuitOpenUntilMs = 30_000;
    const first = erp.call(one);
    await clock.pass(100);
    await first;
    expect([erp.begun, erp.failures]).toEqual([[], [{ ...NOT_RESPONDING, retryAfterMs: 30_000 }]]);
    await clock.pass(31_000);
    const second = erp.call(one);
    await clock.pass(1_000);
    await second;
    expect([erp.begun.length, erp.failures.length]).toEqual([1, 1]);
  });

  it('is called within two seconds after it has responded to one', async () => {
    const [one, other] = limitedTo(8);
    const erp = new Erp(clock, 100);
    state.circuitOpenUntilMs = 30_000;
    const refused = erp.call(one);
    await clock.pass(100);
    await refused;
    const trial = erp.call(other.forTrial());
    await clock.pass(2_000);
    await trial;
    expect(state.circuitOpenUntilMs).toBeUndefined();
    const next = erp.call(one);
    await clock.pass(500);
    await next;
    expect([erp.begun.length, erp.failures.length]).toEqual([2, 1]);
  });

  it('stays paused while only trial requests fail', async () => {
    const [one, other] = limitedTo(8);
    const erp = new Erp(clock, 100);
    erp.isSilent = true;
    state.circuitOpenUntilMs = 30_000;
    const trial = erp.call(other.forTrial());
    await clock.pass(3_000);
    await trial;
    const refused = erp.call(one);
    await clock.pass(500);
    await refused;
    expect([erp.begun.length, erp.failures.length, state.circuitOpenUntilMs]).toEqual([1, 1, 30_000]);
  });

  it('stays available to a process that receives responses, which notifies the others', async () => {
    const [one] = limitedTo(8);
    const erp = new Erp(clock, 500);
    const all = erp.callOften(one, 20);
    await clock.pass(3_000);
    state.circuitOpenUntilMs = clock.monotonicMs() + 30_000;
    await clock.pass(20_000);
    await all;
    expect([erp.begun.length, erp.failures, state.circuitOpenUntilMs]).toEqual([20, [], undefined]);
  });

  it('is called by one request of all processes after the pause, and by all once that request succeeds', async () => {
    const [one, other] = limitedTo(8);
    const erp = new Erp(clock, 15_000);
    state.circuitOpenUntilMs = 1_000;
    await clock.pass(1_500);
    // It takes longer than the time that a trial is given at once.
    const first = [one, other, one, other, one, other].map((requests) => erp.call(requests));
    await clock.pass(12_000);
    const second = [one, other].map((requests) => erp.call(requests));
    await clock.pass(1_000);
    expect([erp.begun, erp.failures.length]).toEqual([[1_500], 7]);
    await clock.pass(5_000);
    const third = [one, other].map((requests) => erp.call(requests));
    await clock.pass(20_000);
    await Promise.all([...first, ...second, ...third]);
    expect([erp.begun.length, erp.failures.length, state.circuitOpenUntilMs]).toEqual([3, 7, undefined]);
  });

  it('is paused again when that request has no response either', async () => {
    const [one, other] = limitedTo(8);
    const erp = new Erp(clock, 1_000);
    erp.isSilent = true;
    state.circuitOpenUntilMs = 1_000;
    const all: Promise<void>[] = [];
    for (let seconds = 0; seconds < 40; seconds += 1) {
      all.push(erp.call(one), erp.call(other));
      await clock.pass(1_000);
    }
    await Promise.all(all);
    const between = erp.begun.slice(1).map((at, index) => at - (erp.begun[index] ?? 0));
    expect(erp.mostUnderWay).toBe(1);
    expect(between.filter((ms) => ms < OPEN_MS + 1_000)).toEqual([]);
    expect(erp.begun.length).toBeGreaterThanOrEqual(4);
  });
});
